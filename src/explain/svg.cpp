// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <lerp/base/svg.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/logic/rule_text.hpp>

#include "explain/wording.hpp"

namespace lerpp {
namespace {

constexpr double margin = 20;
constexpr double box_height = 30;
constexpr double widest_box = 170;
constexpr double least_arrow = 70;
constexpr double widest_label = 190;
constexpr double line_height = 16;
constexpr double least_width = 560;
constexpr double widest = 1600;

/// What speaks for an answer, what against it, and what is missing: colours of the style sheet.
constexpr std::string_view for_colour = "c2";
constexpr std::string_view against_colour = "c1";
constexpr std::string_view missing_colour = "c3";

/// One proof, from left to right: entities with facts between them, and what was checked below.
struct Row {
  std::string caption;
  std::string_view colour;
  std::vector<EntityId> entities;
  std::vector<Fact> facts;                      ///< one less than the entities
  std::vector<std::vector<std::string>> notes;  ///< below each entity
  std::optional<Fact> missing = {};             ///< drawn dashed
};

/// The entities of facts that hang together one after the other.
std::vector<EntityId> chain(EntityId start, const std::vector<Fact>& facts) {
  std::vector<EntityId> entities = {start};
  for (const Fact& fact : facts)
    entities.push_back(fact.subject == entities.back() ? fact.object : fact.subject);
  return entities;
}

class Painter {
 public:
  Painter(const Explanation& explanation, const Dataset& dataset)
      : explanation_(explanation), dataset_(dataset), names_{dataset.relations, dataset.entities} {
    for (const Explanation::Reason& reason : explanation.reasons) add(reason);
    for (const Explanation::Missing& missing : explanation.missing) add(missing);
  }

  std::string paint() const {
    double width = least_width;
    double height = margin + 3 * line_height;
    for (const Row& row : rows_) {
      width = std::max(width, 2 * margin + row_width(row));
      width = std::max(width, std::min(widest, 2 * margin + text_width(row.caption, 13)));
      height += row_height(row);
    }
    const std::string title = fact_text(explanation_.fact, dataset_);
    Svg svg(width, height + margin, "Why " + title);
    svg.text({margin, margin + 6}, fit_text(title, width - 2 * margin, 16),
             {.size = 16, .bold = true});
    svg.text({margin, margin + 6 + 1.5 * line_height}, standing_text(explanation_.standing),
             {.classes = "faint"});
    double top = margin + 3 * line_height;
    for (const Row& row : rows_) {
      draw(svg, row, top, width);
      top += row_height(row);
    }
    return svg.finish();
  }

 private:
  void add(const Explanation::Reason& reason) {
    if (!reason.rule || reason.groundings.empty()) return;
    const Explanation::Grounding& grounding = reason.groundings.front();
    Row row{
        fmt::format("{}   {}",
                    share_text(reason.share, explanation_.standing.score, explanation_.evidence),
                    to_text(*reason.rule, names_)),
        reason.share < 0 ? against_colour : for_colour,
        {},
        grounding.facts,
        {}};
    const bool shown_by_check = row.facts.empty() && !grounding.checks.empty();
    if (shown_by_check) row.facts = grounding.checks.front().witness;
    row.entities =
        chain(shown_by_check ? explanation_.answer : explanation_.query.start, row.facts);
    row.notes.resize(row.entities.size());
    for (const Explanation::Check& check : grounding.checks) {
      const auto at = std::find(row.entities.begin(), row.entities.end(), check.entity);
      if (shown_by_check || at == row.entities.end()) continue;
      note(check, row.notes[static_cast<std::size_t>(at - row.entities.begin())]);
    }
    rows_.push_back(std::move(row));
  }

  void note(const Explanation::Check& check, std::vector<std::string>& notes) const {
    if (check.witness.empty()) notes.push_back(formula_text(check.formula, check.entity, dataset_));
    for (const Fact& fact : check.witness) notes.push_back(fact_text(fact, dataset_));
  }

  void add(const Explanation::Missing& missing) {
    std::vector<Fact> facts = missing.there;
    const OperatorId target = missing.rule.target();
    // The missing fact stands where the walk from the start needs it.
    EntityId at = explanation_.query.start;
    std::size_t place = 0;
    while (place < facts.size() && !touches(missing.fact, at) && touches(facts[place], at)) {
      at = facts[place].subject == at ? facts[place].object : facts[place].subject;
      ++place;
    }
    facts.insert(facts.begin() + static_cast<std::ptrdiff_t>(place), missing.fact);
    Row row{fmt::format("missing   {}", to_text(path_rule(target, missing.rule.hops()), names_)),
            missing_colour,
            chain(explanation_.query.start, facts),
            facts,
            {},
            missing.fact};
    row.notes.resize(row.entities.size());
    rows_.push_back(std::move(row));
  }

  static bool touches(const Fact& fact, EntityId entity) {
    return fact.subject == entity || fact.object == entity;
  }

  std::string label(EntityId entity) const {
    return fit_text(short_label(entity, dataset_), widest_box - 20);
  }
  double box_width(EntityId entity) const { return 20 + text_width(label(entity)); }
  std::string arrow_label(const Fact& fact) const {
    return fit_text(dataset_.relations.name(fact.relation), widest_label, 11);
  }
  double arrow_width(const Fact& fact) const {
    return std::max(least_arrow, 24 + text_width(arrow_label(fact), 11));
  }

  double row_width(const Row& row) const {
    double width = 0;
    for (const EntityId entity : row.entities) width += box_width(entity);
    for (const Fact& fact : row.facts) width += arrow_width(fact);
    return width;
  }

  static double row_height(const Row& row) {
    std::size_t notes = 0;
    for (const auto& of_entity : row.notes) notes += of_entity.size();
    return 1.8 * line_height + box_height + static_cast<double>(notes) * line_height +
           1.6 * line_height;
  }

  void draw(Svg& svg, const Row& row, double top, double width) const {
    svg.text({margin, top + line_height}, fit_text(row.caption, width - 2 * margin, 13),
             {.size = 13, .classes = row.colour, .note = row.caption});
    const double middle = top + 1.8 * line_height + box_height / 2;
    double left = margin;
    double below = middle + box_height / 2 + line_height;
    for (std::size_t i = 0; i < row.entities.size(); ++i) {
      const double box = box_width(row.entities[i]);
      const bool end =
          row.entities[i] == explanation_.query.start || row.entities[i] == explanation_.answer;
      svg.rectangle({left, middle - box_height / 2}, box, box_height,
                    {.classes = end ? "paper c0" : "paper", .width = end ? 2.5 : 1.5}, 8);
      svg.text({left + box / 2, middle + 4}, label(row.entities[i]),
               {.anchor = Anchor::middle, .note = dataset_.entities.name(row.entities[i])});
      for (const std::string& text : row.notes[i]) {
        const std::string shown = fit_text(text, width - 2 * margin, 11);
        svg.text({std::min(left + 6, width - margin - text_width(shown, 11)), below}, shown,
                 {.size = 11, .classes = "faint"});
        below += line_height;
      }
      left += box;
      if (i == row.facts.size()) break;
      const double arrow = arrow_width(row.facts[i]);
      draw_fact(svg, row.facts[i], row.entities[i], {left, middle}, arrow, row.missing);
      left += arrow;
    }
  }

  /// An arrow from the subject to the object, whichever stands left.
  void draw_fact(Svg& svg, const Fact& fact, EntityId left, Point from, double length,
                 const std::optional<Fact>& missing) const {
    constexpr double tip = 9;
    const bool forwards = fact.subject == left;
    const bool absent = missing && *missing == fact;
    const Point to = {from.x + length, from.y};
    const Point end = forwards ? to : from;
    const double back = forwards ? -tip : tip;
    svg.line(forwards ? from : Point{from.x + tip, from.y}, forwards ? Point{to.x - tip, to.y} : to,
             {.classes = absent ? "line dashed c3" : "line", .width = 1.5});
    const std::array<Point, 3> head = {end, Point{end.x + back, end.y - 4.5},
                                       Point{end.x + back, end.y + 4.5}};
    svg.polygon(head, {.classes = absent ? "mark c3" : "mark"});
    svg.text({from.x + length / 2, from.y - 7}, arrow_label(fact),
             {.anchor = Anchor::middle,
              .size = 11,
              .classes = absent ? "c3" : "faint",
              .note = dataset_.relations.name(fact.relation)});
  }

  const Explanation& explanation_;
  const Dataset& dataset_;
  Names names_;
  std::vector<Row> rows_;
};

}  // namespace

std::string to_svg(const Explanation& explanation, const Dataset& dataset) {
  return Painter(explanation, dataset).paint();
}

}  // namespace lerpp
