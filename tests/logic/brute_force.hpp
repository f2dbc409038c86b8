// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include <lerp/logic/support.hpp>

#include "logic/random_logic.hpp"

/// The definitions of formulas, rules and measures, word by word and slow, over a set of facts.
namespace lerpp::test {

using Facts = std::set<Fact>;

inline bool has(const Facts& facts, EntityId from, OperatorId op, EntityId to) {
  return facts.contains(op < relations ? Fact{from, op, to} : Fact{to, op - relations, from});
}

inline bool slow_holds(const Formula& formula, EntityId e, const Facts& facts) {
  using Kind = Formula::Kind;
  const auto here = [&](const Formula& part) { return slow_holds(part, e, facts); };
  const auto& parts = formula.parts();
  switch (formula.kind()) {
    case Kind::truth:
      return true;
    case Kind::falsity:
      return false;
    case Kind::constant:
      return has(facts, e, formula.op(), formula.entity());
    case Kind::exists:
      for (EntityId z = 0; z < entities; ++z) {
        if (has(facts, e, formula.op(), z) && slow_holds(formula.inner(), z, facts)) return true;
      }
      return false;
    case Kind::negation:
      return !here(formula.inner());
    case Kind::conjunction:
      return std::ranges::all_of(parts, here);
    case Kind::disjunction:
      return std::ranges::any_of(parts, here);
  }
  return false;
}

inline bool slow_path(const Rule& rule, std::size_t k, EntityId at, EntityId y,
                      const Facts& facts) {
  if (!slow_holds(rule.constraints()[k], at, facts)) return false;
  if (k == rule.hops().size()) return at == y;
  for (EntityId z = 0; z < entities; ++z) {
    if (has(facts, at, rule.hops()[k], z) && slow_path(rule, k + 1, z, y, facts)) return true;
  }
  return false;
}

inline bool slow_body(const Rule& rule, EntityId x, EntityId y, const Facts& facts) {
  if (!rule.is_pair()) return slow_path(rule, 0, x, y, facts);
  return slow_holds(rule.constraints()[0], x, facts) && slow_holds(rule.constraints()[1], y, facts);
}

inline Fact head_fact(const Rule& rule, EntityId x, EntityId y) {
  const OperatorId q = rule.target();
  return q < relations ? Fact{x, q, y} : Fact{y, q - relations, x};
}

inline Support slow_support(const Rule& rule, const Facts& facts, const SupportOptions& options) {
  Support tally;
  for (EntityId x = 0; x < entities; ++x) {
    bool answered = false;
    for (EntityId y = 0; y < entities; ++y) answered |= facts.contains(head_fact(rule, x, y));
    for (EntityId y = 0; y < entities; ++y) {
      if (options.distinct && x == y) continue;
      const bool is_fact = facts.contains(head_fact(rule, x, y));
      Facts known = facts;
      if (options.masked) known.erase(head_fact(rule, x, y));
      const bool body = slow_body(rule, x, y, known);
      tally.head += is_fact ? 1 : 0;
      tally.body += body ? 1 : 0;
      tally.support += body && is_fact ? 1 : 0;
      tally.pca_body += body && answered ? 1 : 0;
    }
  }
  return tally;
}

}  // namespace lerpp::test
