// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/random_case.hpp"

namespace lerpp {
namespace {

const double unreached = -std::log(1e-20);

/// Every way to compute a case; all must agree, and the gradient must be finite.
Learned<double> learn_every_way(const RandomCase& given) {
  const auto expected = learn<double>(given, 3, Path::whole);
  for (const double value : expected.gradient.values()) EXPECT_TRUE(std::isfinite(value));
  for (const Path path : {Path::balls, Path::whole, Path::automatic}) {
    for (const unsigned threads : {1U, 3U}) {
      const auto result = learn<double>(given, 3, path, threads);
      EXPECT_NEAR(result.loss, expected.loss, 1e-12);
      for (std::size_t i = 0; i < result.gradient.values().size(); ++i)
        EXPECT_NEAR(result.gradient.values()[i], expected.gradient.values()[i], 1e-12);
      EXPECT_NEAR(learn<float>(given, 3, path, threads).loss, expected.loss, 1e-4);
    }
  }
  return expected;
}

RandomCase make_case(EntityId entities, RelationId relations, const std::vector<Fact>& facts,
                     Batch batch, std::uint32_t depth = 2, std::uint32_t width = 3) {
  return {{relations, width, depth, 2, 2}, Graph(entities, relations, {facts}), std::move(batch)};
}

double largest(const Parameters<double>& gradient) {
  double most = 0;
  for (const double value : gradient.values()) most = std::max(most, std::abs(value));
  return most;
}

TEST(EngineEdges, OneEntityWithoutFacts) {
  // Only the identity leads anywhere, and its answer has all of the score.
  const auto learned = learn_every_way(make_case(1, 1, {}, {0, {0}, {0}, {}}));
  EXPECT_NEAR(learned.loss, 0, 1e-12);
  EXPECT_NEAR(largest(learned.gradient), 0, 1e-12);
}

TEST(EngineEdges, EmptyRelationAsTarget) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}};
  for (const OperatorId target : {1U, 3U}) {
    const auto learned = learn_every_way(make_case(4, 2, facts, {target, {0, 1}, {2, 3}, {}}));
    EXPECT_LT(learned.loss, unreached);
    EXPECT_GT(largest(learned.gradient), 0);
  }
}

TEST(EngineEdges, AnswerOutOfReachHasTheLeastShareAndNoGradient) {
  const std::vector<Fact> facts = {{0, 0, 1}, {2, 0, 3}};
  const auto learned = learn_every_way(make_case(5, 1, facts, {0, {0, 4}, {3, 0}, {}}));
  EXPECT_NEAR(learned.loss, unreached, 1e-12);
  EXPECT_EQ(largest(learned.gradient), 0);
}

TEST(EngineEdges, HiddenFactsAreOutOfReach) {
  // The only way to the answer is the fact itself; the mask closes it in both directions.
  const std::vector<Fact> facts = {{0, 0, 1}};
  for (const OperatorId target : {0U, 1U}) {
    const Batch batch{target, {target == 0 ? 0U : 1U}, {target == 0 ? 1U : 0U}, facts};
    EXPECT_NEAR(learn_every_way(make_case(2, 1, facts, batch)).loss, unreached, 1e-12);
    Batch open = batch;
    open.hidden.clear();
    EXPECT_LT(learn_every_way(make_case(2, 1, facts, open)).loss, 10);
  }
}

TEST(EngineEdges, ZeroScoresAreNoNumbersDividedByZero) {
  // Weights too small for any score to be more than 0: sigmoid(-1000) is 0.
  const RandomCase given = make_case(3, 1, {{0, 0, 1}, {1, 0, 2}}, {0, {0}, {2}, {}});
  auto parameters = initial_parameters<double>(given.shape, 1);
  std::ranges::fill(parameters.w(0), -1000.0);
  for (const Path path : {Path::balls, Path::whole}) {
    Bench<double> engine(given, path);
    Parameters<double> gradient(given.shape);
    EXPECT_NEAR(engine.learn(parameters, given.batch, gradient), unreached, 1e-12);
    EXPECT_EQ(largest(gradient), 0);
  }
}

TEST(EngineEdges, ScoresNearTheSmallestNumberKeepTheGradientFinite) {
  const RandomCase given = make_case(3, 1, {{0, 0, 1}, {1, 0, 2}}, {0, {0}, {2}, {}});
  Bench<float> engine(given, Path::whole);
  auto parameters = initial_parameters<float>(given.shape, 1);
  for (float raw = -80; raw > -110; raw -= 0.25F) {
    std::ranges::fill(parameters.w(0), raw);
    Parameters<float> gradient(given.shape);
    const double loss = engine.learn(parameters, given.batch, gradient);
    EXPECT_TRUE(std::isfinite(loss)) << raw;
    for (const float value : gradient.values()) ASSERT_TRUE(std::isfinite(value)) << raw;
  }
}

TEST(EngineEdges, WhatIsNoNumberShowsInTheLoss) {
  const RandomCase given = make_case(3, 1, {{0, 0, 1}, {1, 0, 2}}, {0, {0}, {2}, {}});
  Bench<float> engine(given, Path::balls);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto parameters = initial_parameters<float>(given.shape, 1);
    parameters.a(0)[0] = bad;
    Parameters<float> gradient(given.shape);
    EXPECT_FALSE(std::isfinite(engine.learn(parameters, given.batch, gradient)));
  }
}

TEST(EngineEdges, SelfLoopCountsInBothDirections) {
  const std::vector<Fact> facts = {{0, 0, 0}, {0, 0, 1}};
  learn_every_way(make_case(3, 1, facts, {0, {0}, {1}, {}}));
  // Hidden, both of its edges in the one row are gone.
  const auto hidden = learn_every_way(make_case(3, 1, facts, {0, {0}, {1}, {{0, 0, 0}}}));
  const auto absent = learn_every_way(make_case(3, 1, {{0, 0, 1}}, {0, {0}, {1}, {}}));
  EXPECT_NEAR(hidden.loss, absent.loss, 1e-12);
}

TEST(EngineEdges, AnswerEqualsStart) {
  const auto learned =
      learn_every_way(make_case(3, 1, {{0, 0, 1}, {1, 0, 2}}, {1, {0, 1}, {0, 1}, {}}));
  EXPECT_LT(learned.loss, unreached);
}

TEST(EngineEdges, WidthOneAndNoDepth) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 1, 2}, {2, 0, 0}, {3, 1, 3}};
  for (const std::uint32_t depth : {0U, 1U, 2U, 3U})
    learn_every_way(make_case(4, 2, facts, {0, {0, 1, 3}, {2, 0, 3}, {{0, 0, 1}}}, depth, 1));
}

TEST(EngineEdges, RepeatedQueriesWeighAsOne) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 2}, {2, 0, 0}};
  const auto once = learn_every_way(make_case(3, 1, facts, {0, {0}, {2}, {}}));
  const auto thrice = learn_every_way(make_case(3, 1, facts, {0, {0, 0, 0}, {2, 2, 2}, {}}));
  EXPECT_NEAR(once.loss, thrice.loss, 1e-12);
  for (std::size_t i = 0; i < once.gradient.values().size(); ++i)
    EXPECT_NEAR(once.gradient.values()[i], thrice.gradient.values()[i], 1e-12);
}

TEST(EngineEdges, OtherTargetsGradientsAreLeftAlone) {
  const RandomCase given = random_case({2, 3, 2, 2, 2}, {}, 1);
  Bench<double> engine(given, Path::automatic, 2);
  Parameters<double> gradient(given.shape);
  std::ranges::fill(gradient.values(), 7.0);
  engine.learn(initial_parameters<double>(given.shape, 1), given.batch, gradient);
  for (OperatorId target = 0; target < given.shape.operators(); ++target) {
    const bool own = target == given.batch.target;
    EXPECT_EQ(gradient.a(target)[0] == 7.0, !own);
    EXPECT_EQ(gradient.rho(target)[0] == 7.0, !own);
    EXPECT_EQ(gradient.w(target)[0] == 7.0, !own);
  }
  EXPECT_NE(gradient.shared()[0], 7.0);
}

}  // namespace
}  // namespace lerpp
