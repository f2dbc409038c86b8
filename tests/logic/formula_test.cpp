// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/simplify.hpp>

#include "logic/brute_force.hpp"

namespace lerpp {
namespace {

const Formula a = Formula::exists(0);
const Formula b = Formula::exists(1);
const Formula c = Formula::constant(2, 5);

Formula no(const Formula& formula) {
  return Formula::negation(formula);
}
Formula all(std::vector<Formula> parts) {
  return Formula::conjunction(std::move(parts));
}
Formula any(std::vector<Formula> parts) {
  return Formula::disjunction(std::move(parts));
}

TEST(Formula, IsAValue) {
  EXPECT_EQ(Formula(), Formula::truth());
  EXPECT_NE(Formula::truth(), Formula::falsity());
  EXPECT_EQ(all({a, no(b)}), all({Formula::exists(0), no(Formula::exists(1))}));
  EXPECT_NE(all({a, b}), all({b, a}));
  EXPECT_NE(all({a, b}), any({a, b}));
  EXPECT_NE(Formula::constant(2, 5), Formula::constant(2, 4));
  EXPECT_EQ(all({}), Formula::truth());
  EXPECT_EQ(any({}), Formula::falsity());
  EXPECT_EQ(all({a}), a);
  EXPECT_EQ(all({a, no(b)}).size(), 6U);
  EXPECT_EQ(all({a, no(b)}).depth(), 4U);
}

TEST(Formula, CountsSharedPartsWithoutOverflow) {
  Formula doubled = a;
  for (int i = 0; i < 80; ++i) doubled = all({doubled, doubled});
  EXPECT_EQ(doubled.size(), ~std::uint64_t{0});
  EXPECT_EQ(simplify(doubled), a);
  EXPECT_EQ(evaluate(doubled, Graph(3, 2, {})).count(), 0U);
}

RC_GTEST_PROP(Formula, OrderHashAndEqualityAgree, ()) {
  const Formula left = test::any_formula(2);
  const Formula right = test::any_formula(2);
  RC_ASSERT((left == right) == ((left <=> right) == 0));
  RC_ASSERT(((left <=> right) < 0) == ((right <=> left) > 0));
  if (left == right) RC_ASSERT(left.hash() == right.hash());
}

RC_GTEST_PROP(Evaluate, IsTheDefinition, ()) {
  const auto facts = test::any_facts();
  const Formula formula = test::any_formula(3);
  const EntitySet found = evaluate(formula, Graph(test::entities, test::relations, {facts}));
  const test::Facts known(facts.begin(), facts.end());
  for (EntityId e = 0; e < test::entities; ++e) {
    RC_ASSERT(found.contains(e) == test::slow_holds(formula, e, known));
  }
}

TEST(Simplify, KnowsTheLawsOfLogic) {
  const Formula truth = Formula::truth();
  const Formula falsity = Formula::falsity();
  const std::vector<std::pair<Formula, Formula>> laws = {
      {no(no(a)), a},
      {no(truth), falsity},
      {all({a, truth}), a},
      {any({a, truth}), truth},
      {all({a, falsity}), falsity},
      {all({a, a}), a},
      {all({a, no(a)}), falsity},
      {any({no(a), a, b}), truth},
      {all({a, any({a, b})}), a},
      {any({a, all({a, b})}), a},
      {all({a, all({b, all({a, c})})}), all({c, a, b})},
      {all({a, any({no(a), b})}), all({a, b})},
      {any({a, all({no(a), b})}), any({a, b})},
      {no(all({no(a), no(b)})), any({a, b})},
      {Formula::exists(1, falsity), falsity},
      {Formula::exists(1, all({a, no(a)})), falsity},
      {all({Formula::exists(0, b), a}), Formula::exists(0, b)},
      {any({Formula::exists(0, b), a}), a},
      {all({c, Formula::exists(2)}), c},
      {all({Formula::exists(0, b), no(a)}), falsity},
      {all({no(a), any({Formula::exists(0, b), c})}), all({c, no(a)})},
      {any({no(Formula::exists(0, b)), all({a, c})}), any({c, no(Formula::exists(0, b))})},
      // What is weaker than the denied part stays.
      {all({no(Formula::exists(0, b)), any({c, a})}),
       all({no(Formula::exists(0, b)), any({c, a})})},
  };
  for (const auto& [given, expected] : laws) EXPECT_EQ(simplify(given), expected);
}

TEST(Simplify, SharesEqualParts) {
  const Formula part = all({a, Formula::exists(3, no(b))});
  const Formula copy = all({Formula::exists(0), Formula::exists(3, no(Formula::exists(1)))});
  const Formula simple = simplify(all({Formula::exists(0, part), Formula::exists(1, copy)}));
  ASSERT_EQ(simple.parts().size(), 2U);
  EXPECT_EQ(&simple.parts()[0].inner().parts(), &simple.parts()[1].inner().parts());
}

RC_GTEST_PROP(Simplify, KeepsTheMeaningAndNeverGrows, ()) {
  const Formula formula = test::any_formula(4);
  const Formula simple = simplify(formula);
  RC_ASSERT(simple.size() <= formula.size());
  RC_ASSERT(simplify(simple) == simple);
  for (int i = 0; i < 5; ++i) {
    const auto facts = test::any_facts();
    const Graph graph(test::entities, test::relations, {facts});
    RC_ASSERT(evaluate(simple, graph) == evaluate(formula, graph));
  }
}

RC_GTEST_PROP(Simplify, PlainImplicationIsImplication, ()) {
  const Formula part = test::any_formula(2);
  const Formula left = *rc::gen::element(part, all({part, test::any_formula(1)}));
  const Formula right = *rc::gen::element(any({part, test::any_formula(1)}), test::any_formula(2));
  const auto facts = test::any_facts();
  const Graph graph(test::entities, test::relations, {facts});
  EntitySet both = evaluate(left, graph);
  both &= evaluate(right, graph);
  RC_CLASSIFY(plainly_implies(left, right));
  if (plainly_implies(left, right)) RC_ASSERT(both == evaluate(left, graph));
}

TEST(EntitySet, KeepsToItsEntities) {
  for (const EntityId entities : {0U, 1U, 63U, 64U, 65U, 130U}) {
    EntitySet set(entities, true);
    EXPECT_EQ(set.count(), entities);
    set.complement();
    EXPECT_EQ(set, EntitySet(entities));
    if (entities == 0) continue;
    set.insert(entities - 1);
    std::vector<EntityId> members;
    set.for_each([&](EntityId e) { members.push_back(e); });
    EXPECT_EQ(members, std::vector<EntityId>{entities - 1});
    set.erase(entities - 1);
    EXPECT_EQ(set.count(), 0U);
  }
}

}  // namespace
}  // namespace lerpp
