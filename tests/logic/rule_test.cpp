// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/logic/rule.hpp>
#include <lerp/logic/support.hpp>

#include "logic/brute_force.hpp"

namespace lerpp {
namespace {

using test::entities;
using test::relations;

TEST(Rule, IsReadFromEitherEnd) {
  const Formula a = Formula::exists(0);
  const Rule rule = path_rule(3, {0, 3}, {a, Formula(), Formula()}, 0.5);
  const Rule back = reversed(rule, relations);
  EXPECT_EQ(back, path_rule(1, {1, 2}, {Formula(), Formula(), a}, 0.5));
  EXPECT_TRUE(same_rule(rule, with_weight(back, 7), relations));
  EXPECT_FALSE(same_rule(rule, path_rule(1, {1, 2}, {a, Formula(), Formula()}), relations));
  EXPECT_FALSE(same_rule(path_rule(0, {0}), path_rule(0, {1}), relations));
  // x and y being the same is not the same as nothing being said about them.
  EXPECT_FALSE(same_rule(path_rule(0, {}), pair_rule(0, Formula(), Formula()), relations));
}

TEST(Rule, LosesConstraintsThatItsHopsSay) {
  const Formula a = Formula::exists(0);
  const Formula b = Formula::exists(1);
  const Formula back = Formula::exists(2, a);
  EXPECT_EQ(simplify(path_rule(1, {0}, {Formula::conjunction({b, a}), back}), relations),
            path_rule(1, {0}, {b, back}));
  // Each constraint follows from the hop and the other one: one has to stay.
  const Rule both = path_rule(1, {0}, {Formula::exists(0, b), b});
  EXPECT_EQ(simplify(both, relations), path_rule(1, {0}, {Formula(), b}));
}

TEST(Rule, KnowsWhetherAFactCouldProveItself) {
  EXPECT_TRUE(is_recursive(path_rule(0, {1, 2}), relations));
  EXPECT_FALSE(is_recursive(path_rule(0, {1, 3}), relations));
  const Formula deep = Formula::negation(Formula::exists(1, Formula::constant(2, 0)));
  EXPECT_TRUE(is_recursive(pair_rule(0, Formula(), deep), relations));
  EXPECT_FALSE(is_recursive(pair_rule(0, Formula(), Formula::exists(3)), relations));
}

RC_GTEST_PROP(Rule, CanonicalFormSaysTheSame, ()) {
  const Rule rule = test::any_rule();
  RC_ASSERT(reversed(reversed(rule, relations), relations) == rule);
  RC_ASSERT(same_rule(rule, reversed(rule, relations), relations));
  const Rule simple = canonical(rule, relations);
  RC_ASSERT(simple.target() < relations);
  const auto list = test::any_facts();
  const test::Facts facts(list.begin(), list.end());
  const bool turned = rule.target() >= relations;
  for (EntityId x = 0; x < entities; ++x) {
    for (EntityId y = 0; y < entities; ++y) {
      RC_ASSERT(test::slow_body(rule, x, y, facts) ==
                test::slow_body(simple, turned ? y : x, turned ? x : y, facts));
    }
  }
}

TEST(Answers, ForgetAHiddenFactHoweverFar) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 1, 2}, {2, 0, 3}, {3, 1, 4}};
  const Graph graph(5, relations, {facts});
  Evaluator evaluator(graph);
  const Formula near = Formula::exists(0, Formula::exists(1));
  const Formula far = Formula::exists(0, Formula::exists(1, near));
  const Rule rule = path_rule(0, {}, {far});
  EXPECT_EQ(answers(rule, 0, evaluator), std::vector<EntityId>{0});
  for (const Fact& fact : facts) {
    EXPECT_TRUE(answers(rule, 0, evaluator, fact).empty()) << fact.subject;
  }
  // Where it did not matter, it is not missed.
  EXPECT_EQ(answers(path_rule(0, {}, {near}), 2, evaluator, facts[0]), std::vector<EntityId>{2});
  EXPECT_EQ(answers(path_rule(0, {}, {Formula::negation(far)}), 0, evaluator, facts[3]),
            std::vector<EntityId>{0});
}

RC_GTEST_PROP(Answers, AreWhatTheBodyHoldsOf, ()) {
  const auto list = test::any_facts();
  const Rule rule = test::any_rule(3);
  const Graph graph(entities, relations, {list});
  Evaluator evaluator(graph);
  test::Facts facts(list.begin(), list.end());
  std::optional<Fact> hidden;
  if (!list.empty() && *rc::gen::arbitrary<bool>()) hidden = list.front();
  if (hidden) facts.erase(*hidden);
  for (EntityId x = 0; x < entities; ++x) {
    std::vector<EntityId> expected;
    for (EntityId y = 0; y < entities; ++y) {
      const bool holds = test::slow_body(rule, x, y, facts);
      if (holds) expected.push_back(y);
      const auto path = proof(rule, x, y, evaluator, hidden);
      RC_ASSERT(path.has_value() == holds);
      if (!path) continue;
      RC_ASSERT(path->front() == x);
      RC_ASSERT(path->back() == y);
      RC_ASSERT(path->size() == rule.constraints().size());
      for (std::size_t k = 0; k < path->size(); ++k) {
        RC_ASSERT(test::slow_holds(rule.constraints()[k], (*path)[k], facts));
        if (k == 0 || rule.is_pair()) continue;
        RC_ASSERT(test::has(facts, (*path)[k - 1], rule.hops()[k - 1], (*path)[k]));
      }
    }
    RC_ASSERT(answers(rule, x, evaluator, hidden) == expected);
  }
}

RC_GTEST_PROP(Support, IsTheDefinition, ()) {
  const auto facts = test::any_facts();
  const Graph graph(entities, relations, {facts});
  Evaluator evaluator(graph);
  for (int i = 0; i < 8; ++i) {
    const Rule rule = test::any_rule();
    for (const bool masked : {false, true}) {
      for (const bool distinct : {false, true}) {
        const SupportOptions options = {masked, distinct};
        RC_ASSERT(support(rule, evaluator, options) ==
                  test::slow_support(rule, {facts.begin(), facts.end()}, options));
      }
    }
  }
}

TEST(Support, OfASampleIsThatOfItsStarts) {
  std::vector<Fact> facts;
  for (EntityId x = 0; x < 4000; ++x)
    facts.push_back({x, x % 4 == 0 ? 1U : 0U, (x * 7 + 1) % 4000});
  for (EntityId x = 0; x < 4000; x += 3) facts.push_back({x, 1, (x * 7 + 1) % 4000});
  const Graph graph(4000, 2, {facts});
  Evaluator evaluator(graph);
  const Rule rule = path_rule(1, {0});
  const Support all = support(rule, evaluator);
  const Support some = support(rule, evaluator, {false, false, 0.25});
  EXPECT_NEAR(static_cast<double>(some.body), 0.25 * static_cast<double>(all.body), 100);
  EXPECT_NEAR(some.confidence(), all.confidence(), 0.05);
  EXPECT_NEAR(some.head_coverage(), all.head_coverage(), 0.05);
  for (EntityId entity = 0; entity < 4000; ++entity) {
    EXPECT_LE(in_sample(entity, 0.1), in_sample(entity, 0.2));
    EXPECT_TRUE(in_sample(entity, 1));
  }
}

TEST(Support, DoesNotLetAFactProveItself) {
  // 0 and 1 are each other's siblings; 2 is 3's, and nobody says the converse.
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 0}, {2, 0, 3}};
  const Graph graph(4, 1, {facts});
  Evaluator evaluator(graph);
  const Rule tautology = path_rule(0, {0});
  EXPECT_EQ(support(tautology, evaluator).confidence(), 1);
  EXPECT_EQ(support(tautology, evaluator, {.masked = true}).support, 0U);
  const Rule symmetry = path_rule(0, {1});
  const Support found = support(symmetry, evaluator, {.masked = true});
  EXPECT_EQ(found.body, 3U);
  EXPECT_EQ(found.support, 2U);
  EXPECT_EQ(found.pca_body, 2U);
  EXPECT_DOUBLE_EQ(found.confidence(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(found.pca_confidence(), 1);
  EXPECT_DOUBLE_EQ(found.head_coverage(), 2.0 / 3);
  // "y has no sibling" becomes true of a fact's y once the fact is hidden.
  const Rule lonely = pair_rule(0, Formula(), Formula::negation(Formula::exists(1)));
  EXPECT_EQ(support(lonely, evaluator).support, 0U);
  EXPECT_EQ(support(lonely, evaluator, {.masked = true}).support, 3U);
}

}  // namespace
}  // namespace lerpp
