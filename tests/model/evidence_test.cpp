// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/random_case.hpp"
#include "model/score_loss.hpp"

namespace lerpp {
namespace {

ModelShape evidence_shape() {
  ModelShape shape;
  shape.relations = 3;
  shape.width = 4;
  shape.depth = 1;
  shape.rules = 3;
  shape.length = 4;
  shape.positive = true;
  shape.evidence = true;
  shape.prior = true;
  shape.paths = 6;
  shape.constants = true;
  return shape;
}

/// The loss of a case, and its gradient, with rules of some hops.
Learned<double> learn_length(const RandomCase& given, const Parameters<double>& parameters,
                             std::uint32_t length) {
  Bench<double> engine(given, Path::balls);
  engine.settings.length = length;
  Learned<double> result;
  result.gradient = Parameters<double>(given.shape);
  result.loss = engine.learn(parameters, given.batch, result.gradient);
  return result;
}

TEST(Evidence, HopsWithoutWeightSayNothing) {
  const RandomCase given = random_case(evidence_shape(), {40, 60, 4}, 7);
  auto parameters = random_parameters<double>(given.shape, 7);
  const std::span<double> weight = parameters.of(Part::weight, given.batch.target);
  for (std::size_t at = 0; at < weight.size(); ++at) {
    if (at % 5 > 2) weight[at] = 0;
  }
  EXPECT_NEAR(learn_length(given, parameters, 4).loss, learn_length(given, parameters, 2).loss,
              1e-12);
}

TEST(Evidence, ShortRulesLeaveTheParametersOfLaterHopsAlone) {
  const RandomCase given = random_case(evidence_shape(), {40, 60, 4}, 8);
  const auto learned = learn_length(given, random_parameters<double>(given.shape, 8), 2);
  const std::span<const double> weight = learned.gradient.of(Part::weight, given.batch.target);
  for (std::size_t at = 0; at < weight.size(); ++at) EXPECT_EQ(weight[at] == 0, at % 5 > 2) << at;
}

TEST(Evidence, AFrontierThatHoldsAllChangesNothing) {
  RandomCase given = random_case(evidence_shape(), {40, 60, 4}, 9);
  const auto all = learn<double>(given, 9, Path::balls);
  given.shape.frontier = 40;
  EXPECT_EQ(learn<double>(given, 9, Path::balls).loss, all.loss);
  given.shape.frontier = 2;
  const auto near = learn<double>(given, 9, Path::balls);
  EXPECT_NE(near.loss, all.loss);
  EXPECT_LT(near.edges, all.edges);
}

// Paths that learn as if alone take no notice of what the rules say.
TEST(Evidence, KindsWithASoftmaxOfTheirOwnDoNotLeanOnEachOther) {
  const RandomCase given = random_case(evidence_shape(), {40, 60, 4}, 10);
  auto parameters = random_parameters<double>(given.shape, 10);
  const auto paths_learn = [&](Softmax softmax) {
    Bench<double> engine(given, Path::balls);
    engine.settings.softmax = softmax;
    Parameters<double> gradient(given.shape);
    engine.learn(parameters, given.batch, gradient);
    const std::span<const double> learned = gradient.of(Part::path, given.batch.target);
    return std::vector<double>(learned.begin(), learned.end());
  };
  const auto one = paths_learn(Softmax::one);
  const auto two = paths_learn(Softmax::two);
  const auto each = paths_learn(Softmax::each);
  for (double& weight : parameters.of(Part::weight, given.batch.target)) weight += 1;
  EXPECT_NE(paths_learn(Softmax::one), one);
  EXPECT_EQ(paths_learn(Softmax::two), two);
  for (double& weight : parameters.of(Part::prior, given.batch.target)) weight += 1;
  EXPECT_NE(paths_learn(Softmax::two), two);
  EXPECT_EQ(paths_learn(Softmax::each), each);
}

// A hidden fact must count nowhere: learning with it hidden is learning on a graph without it.
RC_GTEST_PROP(Evidence, HiddenFactsCountNowhere, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  RandomCase given = random_case(evidence_shape(), {12, 30, 1}, seed);
  given.paths = paths_of(given);
  const auto hidden = learn<double>(given, seed, Path::balls);

  std::vector<Fact> facts;
  const RelationId relations = given.graph.relations();
  for (EntityId entity = 0; entity < given.graph.entities(); ++entity) {
    for (const Edge& edge : given.graph.edges(entity)) {
      const Fact fact = {entity, edge.op, edge.target};
      if (edge.op >= relations) continue;
      if (std::ranges::find(given.batch.hidden, fact) == given.batch.hidden.end())
        facts.push_back(fact);
    }
  }
  // Other answers leave the denominator whether hidden or not: only the query's own is left out.
  const OperatorId target = given.batch.target;
  for (const Fact& fact : given.batch.hidden) {
    const bool tail = target < relations;
    const EntityId start = tail ? fact.subject : fact.object;
    const EntityId answer = tail ? fact.object : fact.subject;
    RC_PRE(fact.relation != target % relations || start != given.batch.starts[0] ||
           answer == given.batch.answers[0]);
  }
  given.graph = Graph(given.graph.entities(), relations, {facts});
  given.batch.hidden.clear();
  const auto absent = learn<double>(given, seed, Path::balls);
  RC_ASSERT(std::abs(hidden.loss - absent.loss) <= 1e-10 * std::max(1.0, absent.loss));
}

TEST(ScoreLoss, IsTheCrossEntropy) {
  std::vector<double> scores = {1, 3, ScoreLoss<double>::nothing, -2};
  const double sum = std::exp(1) + std::exp(3) + std::exp(-2);
  ScoreLoss<double> loss;
  EXPECT_NEAR(loss.evaluate(scores, {.answer = 0, .weight = 0.5}), 0.5 * (std::log(sum) - 1),
              1e-12);
  std::vector<double> gradient(4);
  for (std::size_t i = 0; i < loss.entities().size(); ++i)
    gradient[loss.entities()[i]] += loss.gradient()[i];
  EXPECT_NEAR(gradient[0], 0.5 * (std::exp(1) / sum - 1), 1e-12);
  EXPECT_NEAR(gradient[1], 0.5 * std::exp(3) / sum, 1e-12);
  EXPECT_EQ(gradient[2], 0);
  EXPECT_NEAR(gradient[3], 0.5 * std::exp(-2) / sum, 1e-12);
}

TEST(ScoreLoss, ThinningIsRightOnAverage) {
  constexpr std::size_t entities = 500;
  constexpr int draws = 2000;
  constexpr double thin = 0.01;
  Random random(3);
  std::vector<double> scores(entities);
  for (double& score : scores) score = 6 * random.real();
  const auto gradient_of = [&](double least, double draw, std::size_t& kept) {
    std::vector<double> copy = scores;
    ScoreLoss<double> loss;
    loss.evaluate(copy, {.answer = 70, .weight = 1, .thin = least, .draw = draw});
    kept = loss.entities().size();
    std::vector<double> dense(entities);
    for (std::size_t i = 0; i < loss.entities().size(); ++i)
      dense[loss.entities()[i]] += loss.gradient()[i];
    return dense;
  };
  std::size_t kept = 0;
  const auto exact = gradient_of(0, 0, kept);
  EXPECT_EQ(kept, entities);
  std::vector<double> mean(entities);
  for (int draw = 0; draw < draws; ++draw) {
    const auto one = gradient_of(thin, (draw + 0.5) / draws, kept);
    EXPECT_LT(kept, 120U);
    for (std::size_t i = 0; i < entities; ++i) mean[i] += one[i] / draws;
  }
  for (std::size_t i = 0; i < entities; ++i) EXPECT_NEAR(mean[i], exact[i], 2 * thin / draws) << i;
}

}  // namespace
}  // namespace lerpp
