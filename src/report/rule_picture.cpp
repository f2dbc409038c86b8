// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include <lerp/report/rule_picture.hpp>

#include "report/arrows.hpp"

namespace lerpp {
namespace {

using Kind = Formula::Kind;

constexpr double radius = 15;
constexpr double level = 78;     ///< between a variable and what hangs below it
constexpr double longest = 280;  ///< of a label
constexpr double spread = 24;    ///< between two labels side by side, at least
constexpr double margin = 14;
constexpr double least_hop = 100;  ///< between two variables of the chain

std::string label_of(std::string_view name) {
  return fit_text(name, longest);
}

/// What hangs below a variable: a relation to another variable or to a constant, or a connective
/// over several of these.
struct Twig {
  enum class End : std::uint8_t { variable, constant, connective };

  End end = End::variable;
  std::string text;           ///< in the node: a variable, the constant's name, "or", "not"
  std::string relation = {};  ///< on the way to it, whole; none for a connective
  bool away = true;           ///< the relation leads from the upper variable to the lower
  bool absent = false;        ///< must not be
  std::vector<Twig> twigs = {};

  std::string shown() const { return label_of(text); }
  std::string label() const { return label_of(absent ? "no " + relation : relation); }
  double own_width() const {
    const double node = end == End::variable ? 2 * radius : text_width(shown()) + 16;
    return std::max(node, relation.empty() ? 0 : text_width(label())) + spread;
  }
  double width() const {
    double all = 0;
    for (const Twig& twig : twigs) all += twig.width();
    return std::max(own_width(), all);
  }
  std::size_t depth() const {
    std::size_t deepest = 0;
    for (const Twig& twig : twigs) deepest = std::max(deepest, twig.depth());
    return deepest + 1;
  }
};

/// Turns constraints into twigs, and names the variables in the order in which they are read.
class Grower {
 public:
  Grower(const Names& names, std::size_t first_free) : names_(names), next_(first_free) {}

  std::vector<Twig> grow(const Formula& formula) {
    switch (formula.kind()) {
      case Kind::truth:
        return {};
      case Kind::conjunction: {
        std::vector<Twig> twigs;
        for (const Formula& part : formula.parts()) {
          for (Twig& twig : grow(part)) twigs.push_back(std::move(twig));
        }
        return twigs;
      }
      default:
        return {twig(formula)};
    }
  }

 private:
  Twig twig(const Formula& formula) {
    switch (formula.kind()) {
      case Kind::exists: {
        Twig result = to(formula.op());
        result.text = fmt::format("z{}", next_++);
        result.twigs = grow(formula.inner());
        return result;
      }
      case Kind::constant: {
        Twig result = to(formula.op());
        result.end = Twig::End::constant;
        result.text = names_.entities.name(formula.entity());
        return result;
      }
      case Kind::negation: {
        const Formula& inner = formula.inner();
        if (!inner.is(Kind::exists) && !inner.is(Kind::constant))
          return {Twig::End::connective, "not", {}, true, true, grow(inner)};
        Twig result = twig(inner);
        result.absent = true;
        return result;
      }
      case Kind::disjunction:
      case Kind::conjunction: {
        Twig result{Twig::End::connective, formula.is(Kind::disjunction) ? "or" : "and"};
        for (const Formula& part : formula.parts()) result.twigs.push_back(twig(part));
        return result;
      }
      case Kind::truth:
        return {Twig::End::connective, "true"};
      case Kind::falsity:
        break;
    }
    return {Twig::End::connective, "false"};
  }

  Twig to(OperatorId op) const {
    const RelationId relations = names_.relations.size();
    Twig result;
    result.relation = names_.relations.name(op % relations);
    result.away = op < relations;
    return result;
  }

  const Names& names_;
  std::size_t next_;
};

struct Variable {
  std::string name;
  std::vector<Twig> twigs;
  double x = 0;

  double width() const {
    double all = 0;
    for (const Twig& twig : twigs) all += twig.width();
    return std::max(2 * radius, all);
  }
};

class Painter {
 public:
  Painter(const Rule& rule, const Names& names) : rule_(rule), names_(names) {
    const std::size_t last = rule.constraints().size() - 1;
    Grower grower(names, std::max<std::size_t>(last, 1));
    std::size_t depth = 0;
    for (std::size_t k = 0; k <= last; ++k) {
      std::string name = k == 0 ? "x" : k == last ? "y" : fmt::format("z{}", k);
      if (last == 0) name = "x=y";
      variables_.push_back({std::move(name), grower.grow(rule.constraints()[k])});
      for (const Twig& twig : variables_.back().twigs) depth = std::max(depth, twig.depth());
    }
    place();
    height_ = chain_y() + radius + static_cast<double>(depth) * level + margin;
  }

  std::string paint() {
    Svg svg(width_, height_, "Diagram of a rule", to_text(rule_, names_));
    head(svg);
    for (std::size_t k = 0; k < rule_.hops().size(); ++k) hop(svg, k);
    for (const Variable& variable : variables_) {
      twigs(svg, {variable.x, chain_y()}, variable.twigs, variable.width());
      node(svg, {variable.x, chain_y()}, variable.name);
    }
    return svg.finish();
  }

 private:
  double rise() const { return variables_.size() > 1 ? 58 : 40; }
  double chain_y() const { return margin + 16 + rise() + radius; }
  std::string_view name(OperatorId op) const {
    return names_.relations.name(op % names_.relations.size());
  }
  std::string relation(OperatorId op) const { return label_of(name(op)); }
  bool forward(OperatorId op) const { return op < names_.relations.size(); }

  void place() {
    double at = margin + variables_.front().width() / 2;
    variables_.front().x = at;
    for (std::size_t k = 1; k < variables_.size(); ++k) {
      double step = std::max(least_hop, (variables_[k - 1].width() + variables_[k].width()) / 2);
      if (k <= rule_.hops().size())
        step = std::max(step, text_width(relation(rule_.hops()[k - 1])) + 2 * radius + 34);
      variables_[k].x = at += step;
    }
    width_ = at + variables_.back().width() / 2 + margin;
    // The label of the head, above the middle of the chain, may be wider than what is below it.
    const double half = 1.1 * text_width(relation(rule_.target()), 13) / 2 + margin;
    const double middle = (variables_.front().x + variables_.back().x) / 2;
    const double shift = std::max(0.0, half - middle);
    for (Variable& variable : variables_) variable.x += shift;
    width_ = std::max(width_ + shift, middle + shift + half);
  }

  void head(Svg& svg) const {
    Point from{variables_.front().x, chain_y() - radius};
    Point to{variables_.back().x, chain_y() - radius};
    if (variables_.size() == 1) from.x -= radius, to.x += radius;
    const double middle = (from.x + to.x) / 2;
    if (!forward(rule_.target())) std::swap(from, to);
    draw_arc(svg, from, to, rise(), "line dashed c1");
    svg.text({middle, chain_y() - radius - rise() - 6}, relation(rule_.target()),
             {.anchor = Anchor::middle,
              .size = 13,
              .bold = true,
              .classes = "c1",
              .note = name(rule_.target())});
  }

  void hop(Svg& svg, std::size_t k) const {
    Point from{variables_[k].x, chain_y()};
    Point to{variables_[k + 1].x, chain_y()};
    const double middle = (from.x + to.x) / 2;
    if (!forward(rule_.hops()[k])) std::swap(from, to);
    trim(from, to, radius, radius + 1);
    draw_arrow(svg, from, to, "line c0");
    svg.text({middle, chain_y() - 8}, relation(rule_.hops()[k]),
             {.anchor = Anchor::middle, .classes = "halo", .note = name(rule_.hops()[k])});
  }

  void node(Svg& svg, Point at, const std::string& name) const {
    svg.circle(at, radius, {"paper"});
    svg.text({at.x, at.y + 4}, name,
             {.anchor = Anchor::middle, .size = name.size() > 2 ? 10.0 : 13.0});
  }

  void twigs(Svg& svg, Point above, const std::vector<Twig>& twigs_, double width) const {
    double all = 0;
    for (const Twig& twig : twigs_) all += twig.width();
    double left = above.x - width / 2 + (width - all) / 2;
    for (const Twig& twig : twigs_) {
      const Point at{left + twig.width() / 2, above.y + level};
      left += twig.width();
      branch(svg, above, at, twig);
      this->twigs(svg, at, twig.twigs, twig.width());
      end(svg, at, twig);
    }
  }

  void branch(Svg& svg, Point above, Point below, const Twig& twig) const {
    const std::string classes = twig.absent ? "line dashed c3" : "line c2";
    Point from = above, to = below;
    trim(from, to, radius, radius + 1);
    if (twig.end == Twig::End::connective) {
      svg.line(from, to, {classes});
      return;
    }
    if (!twig.away) std::swap(from, to);
    draw_arrow(svg, from, to, classes);
    // Above its own node, which has the room: between the two, labels of neighbours would meet.
    svg.text({below.x, below.y - radius - 15}, twig.label(),
             {.anchor = Anchor::middle, .classes = "halo", .note = twig.relation});
  }

  void end(Svg& svg, Point at, const Twig& twig) const {
    if (twig.end == Twig::End::variable) {
      node(svg, at, twig.text);
      return;
    }
    const std::string shown = twig.shown();
    const double half = text_width(shown) / 2 + 8;
    svg.rectangle({at.x - half, at.y - 12}, 2 * half, 24, {"paper"},
                  twig.end == Twig::End::constant ? 3 : 12);
    svg.text({at.x, at.y + 4}, shown, {.anchor = Anchor::middle, .note = twig.text});
  }

  const Rule& rule_;
  const Names& names_;
  std::vector<Variable> variables_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string to_svg(const Rule& rule, const Names& names) {
  return Painter(rule, names).paint();
}

}  // namespace lerpp
