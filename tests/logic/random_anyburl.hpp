// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <vector>

#include <lerp/logic/anyburl.hpp>

#include "logic/random_logic.hpp"

namespace lerpp::test {

/// A rule of any of AnyBURL's kinds.
inline AnyburlRule any_anyburl_rule() {
  AnyburlRule rule;
  rule.predicted = *below<std::uint64_t>(100);
  rule.correct = *below<std::uint64_t>(rule.predicted + 1);
  rule.confidence = *rc::gen::element(0.0, 0.25, 1.0 / 3.0, 1.0);
  rule.target = any_operator();
  const auto add_hops = [&](int least, int most) {
    const int length = least + *below(most - least + 1);
    for (int i = 0; i < length; ++i) rule.hops.push_back(any_operator());
  };
  switch (*below(4)) {
    case 0:
      rule.target %= relations;  // X is where the body starts
      add_hops(1, 3);
      break;
    case 1:
      rule.target %= relations;
      rule.same = true;
      add_hops(1, 1);
      if (*rc::gen::arbitrary<bool>()) rule.end = *below<EntityId>(entities);
      break;
    case 2:
      rule.answer = *below<EntityId>(entities);
      add_hops(1, 3);
      if (*rc::gen::arbitrary<bool>()) rule.end = *below<EntityId>(entities);
      break;
    default:
      rule.answer = *below<EntityId>(entities);
      rule.directed = true;
      break;
  }
  return rule;
}

/// What the rule derives for q(x, ?), by trying every entity for every variable.
inline std::set<EntityId> slow_answers(const AnyburlRule& rule, EntityId x, const Graph& graph) {
  std::set<EntityId> found;
  std::vector<EntityId> walk = {x};
  const auto allowed = [&] {
    std::vector<EntityId> variables = walk;
    if (rule.end) variables.pop_back();
    if (rule.answer && rule.hops.size() == 1) return x != *rule.answer;
    if (rule.same || rule.hops.empty()) return true;
    std::set<EntityId> different(variables.begin(), variables.end());
    if (different.size() != variables.size()) return false;
    return !(rule.answer && different.contains(*rule.answer)) &&
           !(rule.end && different.contains(*rule.end));
  };
  const std::function<void(std::size_t)> go = [&](std::size_t hop) {
    if (hop == rule.hops.size()) {
      if (rule.end && walk.back() != *rule.end) return;
      if (allowed()) found.insert(rule.answer ? *rule.answer : rule.same ? x : walk.back());
      return;
    }
    for (EntityId next = 0; next < graph.entities(); ++next) {
      if (!graph.contains(walk.back(), rule.hops[hop], next)) continue;
      walk.push_back(next);
      go(hop + 1);
      walk.pop_back();
    }
  };
  go(0);
  return found;
}

}  // namespace lerpp::test
