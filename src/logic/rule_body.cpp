// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <lerp/logic/rule_body.hpp>

namespace lerpp {

RuleBody body_of(const Rule& rule, RelationId relations) {
  const Rule forward = rule.target() < relations ? rule : reversed(rule, relations);
  return {forward.hops(), forward.constraints()};
}

std::vector<std::size_t> rules_of_relations(std::span<const ListedRule> list,
                                            RelationId relations) {
  std::vector<std::size_t> counts(relations);
  std::set<std::pair<RelationId, RuleBody>> seen;
  for (const ListedRule& listed : list) {
    const RelationId relation = listed.rule.target() % relations;
    if (seen.emplace(relation, body_of(listed.rule, relations)).second) ++counts[relation];
  }
  return counts;
}

}  // namespace lerpp
