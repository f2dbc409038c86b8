// SPDX-License-Identifier: Apache-2.0
#include "explain/wording.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>

namespace lerpp {

Json to_json(const Standing& standing) {
  Json json = {{"score", standing.score},
               {"rank", standing.rank.realistic()},
               {"softmax", standing.softmax}};
  json["probability"] = standing.probability ? Json(*standing.probability) : Json(nullptr);
  return json;
}

std::string score_text(double score) {
  constexpr double small = 0.1;
  return score != 0 && std::abs(score) < small ? fmt::format("{:.2g}", score)
                                               : fmt::format("{:.2f}", score);
}

std::string share_text(double share, double score, bool evidence) {
  if (evidence) return fmt::format("{:+.2f}", share);
  return fmt::format("{:+.1f} %", score == 0 ? 0 : 100 * share / score);
}

std::string standing_text(const Standing& standing) {
  std::string text =
      fmt::format("score {}, rank {}", score_text(standing.score), rank_text(standing.rank));
  if (standing.probability) text += fmt::format(", probability {:.4f}", *standing.probability);
  return text;
}

std::string rank_text(const Rank& rank) {
  const std::string whole = thousands(rank.greater + 1 + rank.equal / 2);
  return rank.equal % 2 == 0 ? whole : whole + ".5";
}

std::string named(std::string_view name, std::string_view label) {
  // A label has its control characters spelled out already.
  return name == label || visible(name) == visible(label) ? std::string(name)
                                                          : fmt::format("{} {}", name, label);
}

std::string reading(const Rule& rule, double share, const Dataset& dataset) {
  constexpr std::string_view condition = " if ";
  std::string text = to_english(rule, Names{dataset.relations, dataset.entities});
  const std::size_t body = text.find(condition);
  if (share >= 0 || body == std::string::npos) return text;
  return "counts against it: " + text.substr(body + condition.size());
}

std::string short_label(EntityId entity, const Dataset& dataset) {
  std::string label = dataset.entity_label(entity);
  if (dataset.entity_texts.contains(entity)) label.resize(std::min(label.find(", "), label.size()));
  return label;
}

std::string fact_text(const Fact& fact, const Dataset& dataset) {
  return fmt::format("{}({}, {})", dataset.relations.name(fact.relation),
                     short_label(fact.subject, dataset), short_label(fact.object, dataset));
}

std::string formula_text(const Formula& formula, EntityId entity, const Dataset& dataset) {
  std::string text = to_text(formula, Names{dataset.relations, dataset.entities});
  const std::string label = short_label(entity, dataset);
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
