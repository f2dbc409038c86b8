// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <rapidcheck.h>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/rule.hpp>

/// Random graphs, formulas and rules over a few entities and relations, so that much coincides.
namespace lerpp::test {

constexpr EntityId entities = 6;
constexpr RelationId relations = 2;

/// A number below a bound, small and large ones alike: RapidCheck starts with small ones.
template <class T>
rc::Gen<T> below(T bound) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, bound));
}

inline std::vector<Fact> any_facts() {
  const auto fact = rc::gen::construct<Fact>(
      below<EntityId>(entities), below<RelationId>(relations), below<EntityId>(entities));
  return *rc::gen::container<std::vector<Fact>>(fact);
}

inline OperatorId any_operator() {
  return *below<OperatorId>(2 * relations);
}

inline Formula any_formula(int depth) {
  const int choice = *below(depth > 0 ? 9 : 4);
  const auto parts = [&] {
    std::vector<Formula> result;
    const int count = *below(4);
    for (int i = 0; i < count; ++i) result.push_back(any_formula(depth - 1));
    return result;
  };
  switch (choice) {
    case 0:
      return Formula::truth();
    case 1:
      return Formula::falsity();
    case 2:
      return Formula::constant(any_operator(), *below<EntityId>(entities));
    case 3:
      return Formula::exists(any_operator());
    case 4:
      return Formula::exists(any_operator(), any_formula(depth - 1));
    case 5:
      return Formula::negation(any_formula(depth - 1));
    case 6:
      return Formula::conjunction(parts());
    case 7:
      return Formula::disjunction(parts());
    default: {
      // A formula beside its own negation, or near it: chance alone seldom makes these.
      const Formula one = any_formula(depth - 1);
      const Formula no = Formula::negation(one);
      const Formula other = *rc::gen::element(no, one, Formula::disjunction({no, any_formula(0)}),
                                              Formula::conjunction({any_formula(0), no}));
      return *rc::gen::arbitrary<bool>() ? Formula::conjunction({one, other})
                                         : Formula::disjunction({other, one});
    }
  }
}

/// Weights with few digits and with many.
inline Rule any_rule(int depth = 2) {
  const double weight = *rc::gen::element(1.0, -0.25, 1.0 / 3.0, -1e-12, 1e300, 0.0);
  if (*below(4) == 0) {
    return pair_rule(any_operator(), any_formula(depth), any_formula(depth), weight);
  }
  const int length = *below(4);
  std::vector<OperatorId> hops;
  std::vector<Formula> constraints = {any_formula(depth)};
  for (int i = 0; i < length; ++i) {
    hops.push_back(any_operator());
    constraints.push_back(*rc::gen::arbitrary<bool>() ? Formula::truth() : any_formula(depth));
  }
  return path_rule(any_operator(), std::move(hops), std::move(constraints), weight);
}

}  // namespace lerpp::test
