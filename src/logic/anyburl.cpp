// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/logic/anyburl.hpp>

#include "logic/anyburl_walk.hpp"

namespace lerpp {

std::string to_text(const AnyburlRule& rule, const Names& names) {
  const RelationId relations = names.relations.size();
  std::string out;
  const auto atom = [&](OperatorId op, std::string_view from, std::string_view to) {
    const bool forwards = op < relations;
    out += fmt::format("{}({},{})", names.relations.name(op % relations), forwards ? from : to,
                       forwards ? to : from);
  };
  const bool forwards = rule.target < relations;
  // An old spelling, and the only one that says for which question the rule is meant.
  const std::string_view same = rule.directed ? "me_myself_i" : forwards ? "X" : "Y";
  const std::string_view x = forwards ? "X" : "Y";
  const std::string_view y = rule.answer ? names.entities.name(*rule.answer)
                             : rule.same ? same
                             : forwards  ? "Y"
                                         : "X";
  atom(rule.target, x, y);
  out += " <= ";
  std::string from(x);
  for (std::size_t k = 0; k < rule.hops.size(); ++k) {
    const bool last = k + 1 == rule.hops.size();
    std::string to(1, static_cast<char>('A' + k));
    if (last && rule.end) to = names.entities.name(*rule.end);
    if (last && rule.leads_to_answer()) to = y;
    atom(rule.hops[k], from, to);
    if (!last) out += ", ";
    from = std::move(to);
  }
  return out;
}

std::optional<Rule> to_rule(const AnyburlRule& rule) {
  if (!rule.leads_to_answer()) return std::nullopt;
  return path_rule(rule.target, rule.hops, {}, rule.confidence);
}

std::optional<AnyburlRule> to_anyburl(const Rule& rule, RelationId relations) {
  const bool plain = std::ranges::all_of(rule.constraints(), [](const Formula& constraint) {
    return constraint.is(Formula::Kind::truth);
  });
  if (!plain || rule.hops().empty() || rule.hops().size() > most_anyburl_hops) return std::nullopt;
  const Rule forwards = rule.target() < relations ? rule : reversed(rule, relations);
  AnyburlRule result;
  result.target = forwards.target();
  result.hops = forwards.hops();
  return result;
}

void count(AnyburlRule& rule, const Graph& known) {
  EntitySet seen(known.entities());
  AnyburlWalk walk(rule, known, seen);
  rule.predicted = 0;
  rule.correct = 0;
  for (EntityId x = 0; x < known.entities(); ++x) {
    for (const EntityId y : walk.answers(rule.target, x)) {
      ++rule.predicted;
      rule.correct += known.contains(x, rule.target, y) ? 1 : 0;
    }
  }
  rule.confidence = rule.predicted == 0
                        ? 0
                        : static_cast<double>(rule.correct) / static_cast<double>(rule.predicted);
}

}  // namespace lerpp
