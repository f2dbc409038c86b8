#include "explain/report_parts.hpp"

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/rule_text.hpp>

namespace lerpp {

Json to_json(const Standing& standing) {
  return {{"score", standing.score},
          {"rank", standing.rank.realistic()},
          {"probability", standing.probability}};
}

std::string rank_text(const Rank& rank) {
  const std::string whole = thousands(rank.greater + 1 + rank.equal / 2);
  return rank.equal % 2 == 0 ? whole : whole + ".5";
}

std::string named(std::string_view name, std::string_view label) {
  return name == label ? std::string(name) : fmt::format("{} {}", name, label);
}

std::string fact_text(const Fact& fact, const Dataset& dataset) {
  return fmt::format("{}({}, {})", dataset.relations.name(fact.relation),
                     dataset.entity_label(fact.subject), dataset.entity_label(fact.object));
}

std::string formula_text(const Formula& formula, EntityId entity, const Dataset& dataset) {
  std::string text = to_text(formula, Names{dataset.relations, dataset.entities});
  const std::string label = dataset.entity_label(entity);
  // An entity that is called x stands in quotation marks, so a bare x is the variable.
  for (const std::string_view variable : {"(x,", ",x)", "(x)"}) {
    for (std::size_t at = 0; (at = text.find(variable, at)) != std::string::npos;) {
      text.replace(text.find('x', at), 1, label);
      at += label.size() + 1;
    }
  }
  return text;
}

}  // namespace lerpp
