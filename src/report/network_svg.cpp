#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <lerp/report/network.hpp>

#include "report/arrows.hpp"

namespace lerpp {
namespace {

using Weighed = Network::Weighed;

constexpr double column_gap = 150;
constexpr double rule_gap = 170;  ///< between the last column and the rule
constexpr double row_gap = 62;
constexpr double hop_gap = 96;
constexpr double radius = 17;
constexpr double top = 64;  ///< titles of the columns
constexpr double first_row = 106;
constexpr double margin = 16;
constexpr double hop_label = 230;
constexpr double chain_label = 128;

double stroke(double weight) {
  return 1 + 5 * std::min(1.0, weight);
}

/// Columns of functions from left to right, then the rule, from x down to y.
class Painter {
 public:
  Painter(const Network& network, const Dataset& dataset) : network_(network), dataset_(dataset) {
    std::size_t deepest = 1;
    for (std::uint32_t column = network.columns; column >= 1; --column) {
      const std::vector<const Network::Node*> nodes = in_order(column);
      deepest = std::max(deepest, nodes.size());
      for (std::size_t row = 0; row < nodes.size(); ++row) {
        nodes_[{column, nodes[row]->function}] = {column_x(column),
                                                  first_row + row_gap * static_cast<double>(row)};
      }
    }
    const double rule_height = hop_gap * static_cast<double>(network.hops.size());
    const double columns_height = row_gap * static_cast<double>(deepest - 1);
    height_ = first_row + std::max(rule_height, columns_height) + 48;
    rule_x_ = network.nodes.empty() ? margin + 40 : column_x(network.columns) + rule_gap;
    width_ = rule_x_ + hop_label + margin;
  }

  std::string paint() {
    const std::string title = fmt::format("The network behind rule {} of {}", network_.rule + 1,
                                          operator_text(network_.target, "x", "y"));
    width_ = std::max(width_, text_width(title, 14) + 2 * margin + 20);
    Svg svg(width_, height_, title);
    svg.text({margin, 22}, title, {.size = 14, .bold = true});
    svg.text({margin, 40}, fmt::format("strength {:.2f}; wider is heavier", network_.strength),
             {.classes = "faint"});
    for (std::uint32_t column = 1; !network_.nodes.empty() && column <= network_.columns;
         ++column) {
      svg.text({column_x(column), top}, fmt::format("column {}", column),
               {.anchor = Anchor::middle, .size = 11, .classes = "faint"});
    }
    for (const Network::Node& node : network_.nodes) edges(svg, node);
    for (std::size_t k = 0; k < network_.constraints.size(); ++k) constraint(svg, k);
    for (std::size_t k = 0; k < network_.hops.size(); ++k) hop(svg, k);
    for (const Network::Node& node : network_.nodes) {
      const Point at = nodes_.at({node.column, node.function});
      const bool last = node.column == network_.columns;
      circle(svg, at, fmt::format("{}{}", last ? "L" : "v", node.function + 1));
    }
    for (std::size_t k = 0; k < network_.constraints.size(); ++k)
      circle(svg, variable(k), variable_name(k));
    return svg.finish();
  }

 private:
  /// The nodes of a column, each near what uses it: fewer lines cross.
  std::vector<const Network::Node*> in_order(std::uint32_t column) const {
    std::vector<std::pair<double, const Network::Node*>> placed;
    for (const Network::Node& node : network_.nodes) {
      if (node.column != column) continue;
      placed.emplace_back(column == network_.columns ? mean_variable(node) : mean_user(node),
                          &node);
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Network::Node*> nodes;
    nodes.reserve(placed.size());
    for (const auto& [place, node] : placed) nodes.push_back(node);
    return nodes;
  }
  double mean_variable(const Network::Node& node) const {
    double sum = 0, weight = 0;
    for (std::size_t k = 0; k < network_.constraints.size(); ++k) {
      for (const Weighed& function : network_.constraints[k]) {
        if (function.index != node.function + 1) continue;
        sum += function.weight * static_cast<double>(k);
        weight += function.weight;
      }
    }
    return sum / std::max(1e-9, weight);
  }
  double mean_user(const Network::Node& node) const {
    double sum = 0, users = 0;
    for (const Network::Node& user : network_.nodes) {
      const auto has = [&](const std::vector<Weighed>& partners) {
        return std::any_of(partners.begin(), partners.end(),
                           [&](const Weighed& partner) { return partner.index == node.function; });
      };
      if (user.column != node.column + 1) continue;
      if (user.function != node.function && !has(user.and_partners) && !has(user.or_partners))
        continue;
      sum += nodes_.at({user.column, user.function}).y;
      ++users;
    }
    return sum / std::max(1.0, users);
  }

  static double column_x(std::uint32_t column) {
    return margin + chain_label + radius + column_gap * (column - 1.0);
  }
  Point variable(std::size_t k) const {
    return {rule_x_, first_row + hop_gap * static_cast<double>(k)};
  }
  std::string variable_name(std::size_t k) const {
    if (k == 0) return "x";
    return k == network_.hops.size() ? "y" : fmt::format("z{}", k);
  }
  std::string operator_text(OperatorId op, const std::string& from, const std::string& to) const {
    const RelationId relations = dataset_.relations.size();
    if (op == 2 * relations) return fmt::format("{} = {}", from, to);
    const std::string name = fit_text(dataset_.relations.name(op % relations), 150);
    return op < relations ? fmt::format("{}({},{})", name, from, to)
                          : fmt::format("{}({},{})", name, to, from);
  }

  static void circle(Svg& svg, Point at, const std::string& name) {
    svg.circle(at, radius, {"paper"});
    svg.text({at.x, at.y + 4}, name, {.anchor = Anchor::middle});
  }

  /// What a function is made of: chaining as text beside it, the rest as lines to the column
  /// before.
  void edges(Svg& svg, const Network::Node& node) const {
    const Point at = nodes_.at({node.column, node.function});
    std::string note;
    for (const Weighed& operation : node.operations) {
      constexpr std::array<const char*, 6> signs = {"true", "∃", "not", "copy", "and", "or"};
      note += fmt::format("{}{} {:.0f} %", note.empty() ? "" : ", ", signs[operation.index],
                          100 * operation.weight);
      if (operation.index == 0) continue;
      connect(svg, node, node.function, operation.weight,
              operation.index == 2 ? "line dashed c3" : "line c0");
    }
    for (const Weighed& partner : node.and_partners)
      connect(svg, node, partner.index, partner.weight, "line c2");
    for (const Weighed& partner : node.or_partners)
      connect(svg, node, partner.index, partner.weight, "line c4");
    if (node.column > 1) {
      svg.text({at.x, at.y - radius - 4}, note,
               {.anchor = Anchor::middle, .size = 10, .classes = "halo"});
    }
    double line = at.y + 4 - 6.5 * (static_cast<double>(node.chaining.size()) - 1);
    const bool first = node.column == 1;
    if (!first) line = at.y + radius + 12;
    for (const Weighed& chained : node.chaining) {
      const std::string text =
          fmt::format("{} {:.0f} %", fit_text(operator_text(chained.index, "z", "·"), 92, 10),
                      100 * chained.weight);
      if (first) {
        svg.text({at.x - radius - 8, line}, text, {.anchor = Anchor::end, .size = 10});
      } else {
        svg.text({at.x, line}, text, {.anchor = Anchor::middle, .size = 10, .classes = "halo"});
        break;  // the strongest: there is room for no more
      }
      line += 13;
    }
  }

  void connect(Svg& svg, const Network::Node& node, std::uint32_t function, double weight,
               std::string_view classes) const {
    const auto before = nodes_.find({node.column - 1, function});
    if (node.column == 1 || before == nodes_.end()) return;
    Point from = before->second;
    Point to = nodes_.at({node.column, node.function});
    trim(from, to, radius, radius);
    svg.line(from, to, {classes, stroke(weight), 0.8});
  }

  void constraint(Svg& svg, std::size_t k) {
    const Point at = variable(k);
    for (const Weighed& function : network_.constraints[k]) {
      if (function.index == 0) continue;
      Point from = nodes_.at({network_.columns, function.index - 1});
      Point to = at;
      trim(from, to, radius, radius);
      svg.line(
          from, to,
          {"line c2", stroke(function.weight), 0.6, fmt::format("rho {:.2f}", function.weight)});
      // Near its function, one after the other: there they do not meet.
      const double along = 0.14 + 0.16 * (labels_[function.index]++ % 4);
      svg.text({from.x + (to.x - from.x) * along, from.y + (to.y - from.y) * along + 3},
               fmt::format("{:.0f} %", 100 * function.weight),
               {.anchor = Anchor::middle, .size = 10, .classes = "halo"});
    }
  }

  void hop(Svg& svg, std::size_t k) const {
    Point from = variable(k), to = variable(k + 1);
    trim(from, to, radius, radius + 1);
    draw_arrow(svg, from, to, "line c1", stroke(network_.hops[k].front().weight));
    double line = (from.y + to.y) / 2 + 4 - 8 * (static_cast<double>(network_.hops[k].size()) - 1);
    for (const Weighed& operation : network_.hops[k]) {
      svg.text({from.x + 16, line},
               fmt::format("{:.0f} %  {}", 100 * operation.weight,
                           operator_text(operation.index, variable_name(k), variable_name(k + 1))),
               {});
      line += 16;
    }
  }

  const Network& network_;
  const Dataset& dataset_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Point> nodes_;
  std::map<std::uint32_t, int> labels_;  ///< painted so far, of each function
  double rule_x_ = 0;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string to_svg(const Network& network, const Dataset& dataset) {
  return Painter(network, dataset).paint();
}

}  // namespace lerpp
