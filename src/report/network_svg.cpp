// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <lerp/report/network.hpp>

#include "report/arrows.hpp"

namespace lerpp {
namespace {

using Weighed = Network::Weighed;

constexpr double least_column_gap = 150;
constexpr double least_rule_gap = 190;  ///< between the last column and the rule
constexpr double small = 10;            ///< letters beside nodes
constexpr double small_line = 13;
constexpr double line_height = 16;
constexpr double radius = 17;
constexpr double top = 64;  ///< titles of the columns
constexpr double first_row = 106;
constexpr double margin = 16;
constexpr double longest_name = 240;
constexpr std::array<const char*, 6> operations = {"true", "∃", "not", "copy", "and", "or"};

double stroke(double weight) {
  return 1 + 5 * std::min(1.0, weight);
}

/// Columns of functions from left to right, then the rule, from x down to y.
class Painter {
 public:
  Painter(const Network& network, const Dataset& dataset) : network_(network), dataset_(dataset) {
    measure();
    std::size_t deepest = 1;
    for (std::uint32_t column = network.columns; column >= 1; --column) {
      const std::vector<const Network::Node*> nodes = in_order(column);
      deepest = std::max(deepest, nodes.size());
      for (std::size_t row = 0; row < nodes.size(); ++row) {
        nodes_[{column, nodes[row]->function}] = {column_x(column),
                                                  first_row + row_gap_ * static_cast<double>(row)};
      }
    }
    const double rule_height = hop_gap_ * static_cast<double>(network.hops.size());
    const double columns_height = row_gap_ * static_cast<double>(deepest - 1);
    height_ = first_row + std::max(rule_height, columns_height) + 48;
    rule_x_ = network.nodes.empty() ? margin + 40 : column_x(network.columns) + rule_gap_;
    width_ = rule_x_ + 16 + hop_label_ + margin;
  }

  std::string paint() {
    const std::string title = fmt::format("The network behind rule {} of {}", network_.rule + 1,
                                          operator_text(network_.target, "x", "y"));
    width_ = std::max(width_, 1.1 * text_width(title, 14) + 2 * margin + 20);
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
    for (const Network::Node& node : network_.nodes) labels(svg, node);
    for (std::size_t k = 0; k < network_.hops.size(); ++k) hop(svg, k);
    for (std::size_t k = 0; k < network_.constraints.size(); ++k) weights(svg, k);
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
  /// How much room the labels need.
  void measure() {
    double widest = 0;
    std::size_t lines = 1, hop_lines = 1;
    for (const Network::Node& node : network_.nodes) {
      for (const Weighed& chained : node.chaining) {
        const double width = text_width(chain_text(chained), small);
        double& label = node.column == 1 ? chain_label_ : widest;
        label = std::max(label, width);
      }
      if (node.column == 1) lines = std::max(lines, node.chaining.size());
      if (node.column > 1) widest = std::max(widest, text_width(operations_text(node), small));
    }
    column_gap_ = std::max(least_column_gap, widest + 16);
    // Half of what stands above the last column reaches into the space before the rule.
    rule_gap_ = std::max(least_rule_gap, widest / 2 + 120);
    row_gap_ = std::max(62.0, small_line * static_cast<double>(lines) + 14);
    for (std::size_t k = 0; k < network_.hops.size(); ++k) {
      hop_lines = std::max(hop_lines, network_.hops[k].size());
      for (const Weighed& operation : network_.hops[k])
        hop_label_ = std::max(hop_label_, text_width(hop_text(k, operation)));
    }
    hop_gap_ = std::max(96.0, line_height * static_cast<double>(hop_lines) + 2 * radius + 14);
  }

  static std::string operations_text(const Network::Node& node) {
    std::string text;
    for (const Weighed& operation : node.operations) {
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", operations[operation.index],
                          100 * operation.weight);
    }
    return text;
  }
  std::string chain_text(const Weighed& chained) const {
    return fmt::format("{} {:.0f} %", operator_text(chained.index, "z", "·"), 100 * chained.weight);
  }
  std::string hop_text(std::size_t k, const Weighed& operation) const {
    return fmt::format("{:.0f} %  {}", 100 * operation.weight,
                       operator_text(operation.index, variable_name(k), variable_name(k + 1)));
  }

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

  double column_x(std::uint32_t column) const {
    return margin + chain_label_ + 8 + 2 * radius + column_gap_ * (column - 1.0);
  }
  Point variable(std::size_t k) const {
    return {rule_x_, first_row + hop_gap_ * static_cast<double>(k)};
  }
  std::string variable_name(std::size_t k) const {
    if (k == 0) return "x";
    return k == network_.hops.size() ? "y" : fmt::format("z{}", k);
  }
  std::string operator_text(OperatorId op, const std::string& from, const std::string& to) const {
    const RelationId relations = dataset_.relations.size();
    if (op == 2 * relations) return fmt::format("{} = {}", from, to);
    const std::string name = fit_text(dataset_.relations.name(op % relations), longest_name);
    return op < relations ? fmt::format("{}({},{})", name, from, to)
                          : fmt::format("{}({},{})", name, to, from);
  }

  static void circle(Svg& svg, Point at, const std::string& name) {
    svg.circle(at, radius, {"paper"});
    svg.text({at.x, at.y + 4}, name, {.anchor = Anchor::middle});
  }

  /// What a function is made of, as lines to the column before.
  void edges(Svg& svg, const Network::Node& node) const {
    for (const Weighed& operation : node.operations) {
      if (operation.index == 0) continue;
      connect(svg, node, node.function, operation.weight,
              operation.index == 2 ? "line dashed c3" : "line c0");
    }
    for (const Weighed& partner : node.and_partners)
      connect(svg, node, partner.index, partner.weight, "line c2");
    for (const Weighed& partner : node.or_partners)
      connect(svg, node, partner.index, partner.weight, "line c4");
  }

  void label(Svg& svg, Point at, const std::string& text, const TextLook& look) {
    svg.text(at, text, look);
    taken_.push_back(text_box(at, text, look));
  }

  /// The same in words: chaining beside the nodes of the first column, below those of others.
  void labels(Svg& svg, const Network::Node& node) {
    const Point at = nodes_.at({node.column, node.function});
    const TextLook middle{.anchor = Anchor::middle, .size = small, .classes = "halo"};
    if (node.column > 1) {
      label(svg, {at.x, at.y - radius - 4}, operations_text(node), middle);
      // The strongest: there is room for no more.
      if (!node.chaining.empty())
        label(svg, {at.x, at.y + radius + 12}, chain_text(node.chaining.front()), middle);
      return;
    }
    double line = at.y + 4 - small_line / 2 * (static_cast<double>(node.chaining.size()) - 1);
    for (const Weighed& chained : node.chaining) {
      label(svg, {at.x - radius - 8, line}, chain_text(chained),
            {.anchor = Anchor::end, .size = small});
      line += small_line;
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

  void constraint(Svg& svg, std::size_t k) const {
    for (const Weighed& function : network_.constraints[k]) {
      if (function.index == 0) continue;
      const auto [from, to] = constraint_line(k, function);
      svg.line(
          from, to,
          {"line c2", stroke(function.weight), 0.6, fmt::format("rho {:.2f}", function.weight)});
    }
  }
  std::pair<Point, Point> constraint_line(std::size_t k, const Weighed& function) const {
    Point from = nodes_.at({network_.columns, function.index - 1});
    Point to = variable(k);
    trim(from, to, radius, radius);
    return {from, to};
  }

  /// The weights of the constraints, each on its line where no other label is; where there is no
  /// such place the width of the line tells it.
  void weights(Svg& svg, std::size_t k) {
    const TextLook look{.anchor = Anchor::middle, .size = small, .classes = "halo"};
    for (const Weighed& function : network_.constraints[k]) {
      if (function.index == 0) continue;
      const auto [from, to] = constraint_line(k, function);
      const std::string text = fmt::format("{:.0f} %", 100 * function.weight);
      for (double along = 0.14; along < 0.9; along += 0.04) {
        const Point at{from.x + (to.x - from.x) * along, from.y + (to.y - from.y) * along + 3};
        const Box box = text_box(at, text, look);
        const auto meets = [&](const Box& other) { return box.meets(other); };
        if (std::any_of(taken_.begin(), taken_.end(), meets) || meets_node(box)) continue;
        label(svg, at, text, look);
        break;
      }
    }
  }
  bool meets_node(const Box& box) const {
    const auto meets = [&](Point at) {
      return box.meets({at.x - radius, at.y - radius, at.x + radius, at.y + radius});
    };
    for (std::size_t k = 0; k < network_.constraints.size(); ++k) {
      if (meets(variable(k))) return true;
    }
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](const auto& node) { return meets(node.second); });
  }

  void hop(Svg& svg, std::size_t k) {
    Point from = variable(k), to = variable(k + 1);
    trim(from, to, radius, radius + 1);
    draw_arrow(svg, from, to, "line c1", stroke(network_.hops[k].front().weight));
    double line = (from.y + to.y) / 2 + 4 -
                  line_height / 2 * (static_cast<double>(network_.hops[k].size()) - 1);
    for (const Weighed& operation : network_.hops[k]) {
      label(svg, {from.x + 16, line}, hop_text(k, operation), {});
      line += line_height;
    }
  }

  const Network& network_;
  const Dataset& dataset_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Point> nodes_;
  std::vector<Box> taken_;  ///< by labels
  double chain_label_ = 0;
  double column_gap_ = 0;
  double rule_gap_ = 0;
  double row_gap_ = 0;
  double hop_gap_ = 0;
  double hop_label_ = 0;
  double rule_x_ = 0;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string to_svg(const Network& network, const Dataset& dataset) {
  return Painter(network, dataset).paint();
}

}  // namespace lerpp
