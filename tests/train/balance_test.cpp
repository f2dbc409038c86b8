// SPDX-License-Identifier: Apache-2.0
#include "train/balance.hpp"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/parallel.hpp>
#include <lerp/eval/ranking_plan.hpp>

#include "base/random.hpp"
#include "support/describe.hpp"
#include "train/balance_sample.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

ModelShape shape_with_all() {
  ModelShape shape{2, 3, 1, 2, 2};
  shape.evidence = shape.positive = true;
  shape.prior = shape.constants = 1;
  shape.paths = 4;
  return shape;
}

/// One everywhere: a weight is then its factor.
Parameters<float> ones(const ModelShape& shape) {
  Parameters<float> parameters(shape);
  for (float& value : parameters.values()) value = 1;
  return parameters;
}

float factor_of(const Parameters<float>& parameters, Part part) {
  const std::span<const float> weights = parameters.of(part, 3);
  for (const float weight : weights) EXPECT_EQ(weight, weights.front());
  return weights.front();
}

TEST(EvidenceKinds, AreWhatLearnsApart) {
  ModelShape shape = shape_with_all();
  EXPECT_TRUE(evidence_kinds(shape, Softmax::one).empty());
  EXPECT_EQ(evidence_kinds(shape, Softmax::two),
            (std::vector<EvidenceKind>{{Part::weight}, {Part::prior, Part::path, Part::constant}}));
  EXPECT_EQ(
      evidence_kinds(shape, Softmax::each),
      (std::vector<EvidenceKind>{{Part::weight}, {Part::prior}, {Part::path}, {Part::constant}}));
  shape.prior = 0;
  EXPECT_EQ(evidence_kinds(shape, Softmax::two),
            (std::vector<EvidenceKind>{{Part::weight}, {Part::path, Part::constant}}));
  shape.evidence = false;
  EXPECT_TRUE(evidence_kinds(shape, Softmax::each).empty());
}

/// Small whole numbers, so that sums are exact: the same for the same seed, query, kind and entity.
class DrawnParts : public PartScorer {
 public:
  DrawnParts(std::size_t kinds, EntityId entities, std::uint64_t seed)
      : kinds_(kinds), entities_(entities), seed_(seed) {}

  std::size_t kinds() const override { return kinds_; }
  void score_parts(std::span<const Query> queries, std::span<float> parts) const override {
    EXPECT_EQ(parts.size(), queries.size() * kinds_ * entities_);
    asked += queries.size();
    std::size_t at = 0;
    for (const Query& query : queries) {
      Random random(seed_, query.target * 1000 + query.start);
      for (std::size_t i = 0; i < kinds_ * entities_; ++i)
        parts[at++] = static_cast<float>(random.below(5));
    }
  }
  mutable std::atomic<std::size_t> asked = 0;

 protected:
  std::size_t kinds_;
  EntityId entities_;
  std::uint64_t seed_;
};

/// The sum of scaled parts.
class SumScorer : public Scorer {
 public:
  SumScorer(const PartScorer& parts, EntityId entities, std::vector<float> factors)
      : parts_(parts), entities_(entities), factors_(std::move(factors)) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    std::vector<float> all(queries.size() * factors_.size() * entities_);
    parts_.score_parts(queries, all);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::span<float> sums = scores[i].dense(entities_);
      std::fill(sums.begin(), sums.end(), 0.0F);
      for (std::size_t kind = 0; kind < factors_.size(); ++kind) {
        for (EntityId e = 0; e < entities_; ++e)
          sums[e] += factors_[kind] * all[(i * factors_.size() + kind) * entities_ + e];
      }
    }
  }

 private:
  const PartScorer& parts_;
  EntityId entities_;
  std::vector<float> factors_;
};

double ranked_mrr(const Scorer& scorer, const Dataset& dataset) {
  RankingOptions ranking;
  ranking.split = Split::valid;
  return rank(scorer, dataset, ranking)->both.realistic.mrr;
}

RC_GTEST_PROP(BalanceSample, RanksAsTheScoresWould, ()) {
  const Dataset dataset = test::family(20);
  const EntityId entities = dataset.entities.size();
  const auto kinds = *rc::gen::inRange<std::size_t>(1, 5);
  const DrawnParts parts(kinds, entities, *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  RankingOptions ranking;
  ranking.split = Split::valid;
  ranking.threads = exactly(*rc::gen::inRange(1U, 4U));
  const auto plan = RankingPlan::make(dataset, ranking);
  const auto sample = BalanceSample::make(parts, *plan, {});
  RC_ASSERT(sample.has_value());
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::vector<float> factors;
    for (std::size_t kind = 0; kind < kinds; ++kind)
      factors.push_back(std::ldexp(1.0F, *rc::gen::inRange(-4, 5)));
    RC_ASSERT(sample->mrr(factors) == ranked_mrr(SumScorer(parts, entities, factors), dataset));
  }
}

/// Parts of which the last is right, but spoken over by the others, which are noise.
class RightButQuiet : public DrawnParts {
 public:
  RightButQuiet(const Dataset& dataset, std::size_t kinds)
      : DrawnParts(kinds, dataset.entities.size(), 1), full_(dataset.full_graph()) {}

  void score_parts(std::span<const Query> queries, std::span<float> parts) const override {
    DrawnParts::score_parts(queries, parts);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::span<float> last = parts.subspan((i * kinds_ + kinds_ - 1) * entities_, entities_);
      std::fill(last.begin(), last.end(), 0.0F);
      for (const Edge& edge : full_.edges(queries[i].start, queries[i].target))
        last[edge.target] = 2;
    }
  }

 private:
  Graph full_;
};

TEST(FindFactors, TurnsDownWhatIsWrong) {
  const Dataset dataset = test::family(100);
  const RightButQuiet parts(dataset, 3);
  const auto factors = find_factors(parts, dataset, {});
  ASSERT_TRUE(factors);
  ASSERT_EQ(factors->size(), 3U);
  EXPECT_EQ(factors->back(), 1);
  EXPECT_LT(factors->front(), 0.5);
  EXPECT_LT((*factors)[1], 0.5);
  const std::vector<float> found(factors->begin(), factors->end());
  const EntityId entities = dataset.entities.size();
  EXPECT_GT(ranked_mrr(SumScorer(parts, entities, found), dataset),
            ranked_mrr(SumScorer(parts, entities, {1, 1, 1}), dataset) + 0.1);
  // Neither threads nor another try change them.
  BalanceOptions options;
  options.threads = exactly(3);
  EXPECT_EQ(find_factors(parts, dataset, options).value(), *factors);
}

TEST(FindFactors, AsksForWhatMemoryHolds) {
  const Dataset dataset = test::family(100);
  const EntityId entities = dataset.entities.size();
  const auto asked = [&](std::size_t memory) {
    const DrawnParts parts(2, entities, 1);
    BalanceOptions options;
    options.memory = memory;
    EXPECT_TRUE(find_factors(parts, dataset, options));
    return parts.asked.load();
  };
  const std::size_t all = asked(std::size_t{1} << 30U);
  // Each query is asked once, however many factors are tried.
  EXPECT_LE(all, 2 * dataset[Split::valid].size());
  const std::size_t some = asked(std::size_t{8} * 2 * 2 * entities * sizeof(float));
  EXPECT_LT(some, all);
  EXPECT_GT(some, 16U);
  EXPECT_LE(asked(1), 4U);
}

TEST(FindFactors, NothingToWeighAndStops) {
  const Dataset dataset = test::family(20);
  const DrawnParts one(1, dataset.entities.size(), 1);
  EXPECT_EQ(*find_factors(one, dataset, {}), std::vector<double>{1});
  EXPECT_EQ(one.asked, 0U);
  std::stop_source source;
  source.request_stop();
  const DrawnParts two(2, dataset.entities.size(), 1);
  const auto stopped = find_factors(two, dataset, {}, {{}, source.get_token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
}

TEST(SearchFactors, FindsTheRatiosThatRankBest) {
  // As ranks do, this looks at ratios alone: the last should count for an eighth of the others.
  int asked = 0;
  const MeasureFactors measure = [&](std::span<const double> factors) -> Result<double> {
    ++asked;
    double mrr = 1;
    for (std::size_t kind = 0; kind < 3; ++kind)
      mrr -= 0.05 * std::abs(std::log2(factors[kind] / factors[3]) - 3);
    return mrr;
  };
  const auto factors = search_factors(4, 0.55, measure);
  ASSERT_TRUE(factors);
  EXPECT_GT(asked, 0);
  for (std::size_t kind = 0; kind < 3; ++kind) EXPECT_NEAR((*factors)[kind], 1, 1e-6);
  EXPECT_NEAR((*factors)[3], 1.0 / 8, 1e-6);
}

TEST(SearchFactors, LeavesWhatIsNoWorseAsItIs) {
  const auto barely_better = [](std::span<const double>) { return Result<double>(0.5009); };
  EXPECT_EQ(*search_factors(2, 0.5, barely_better), (std::vector<double>{1, 1}));
}

TEST(SearchFactors, EndsEvenIfOneKindIsAllThatHelps) {
  const auto measure = [](std::span<const double> factors) -> Result<double> {
    return std::log2(factors[0] / factors[1]);
  };
  const auto factors = search_factors(2, 0, measure);
  ASSERT_TRUE(factors);
  EXPECT_EQ(factors->front(), 1);
  EXPECT_LT(factors->back(), 0.01);
  EXPECT_GT(factors->back(), 0.001);
}

TEST(SearchFactors, PassesOnAFailure) {
  const auto stopped = [](std::span<const double>) -> Result<double> {
    return fail("stopped", "", "", ErrorKind::interrupted);
  };
  const auto factors = search_factors(2, 0, stopped);
  ASSERT_FALSE(factors);
  EXPECT_EQ(factors.error().kind, ErrorKind::interrupted);
}

TEST(Scaled, ScalesTheWeightsOfEachKindAlone) {
  const ModelShape shape = shape_with_all();
  const std::vector<EvidenceKind> kinds = evidence_kinds(shape, Softmax::each);
  std::vector<double> factors(kinds.size(), 1);
  factors.front() = 0.5;
  factors.back() = 0.25;
  const Parameters<float> parameters = scaled(ones(shape), kinds, factors);
  EXPECT_EQ(factor_of(parameters, Part::weight), 0.5F);
  EXPECT_EQ(factor_of(parameters, Part::prior), 1);
  EXPECT_EQ(factor_of(parameters, Part::path), 1);
  EXPECT_EQ(factor_of(parameters, Part::constant), 0.25F);
  // What is no weight of evidence stays.
  EXPECT_EQ(factor_of(parameters, Part::scale), 1);
  EXPECT_EQ(factor_of(parameters, Part::a), 1);
  EXPECT_EQ(parameters.shared().front(), 1);
}

TEST(Balance, RanksValidationNoWorse) {
  const Dataset dataset = test::family(100);
  TrainOptions options = test::small_options(2);
  options.rules.readout = "evidence";
  options.rules.operators = "positive";
  options.evidence.paths = 100;
  options.evidence.constants = true;
  options.train.softmax = "each";
  const Trained before = test::must_train(dataset, options);
  options.train.balance = true;
  const Trained after = test::must_train(dataset, options);
  for (const Trained* trained : {&before, &after}) {
    RankingOptions ranking;
    ranking.split = Split::valid;
    EXPECT_NEAR(evaluate(trained->model, KnownGraph(dataset), ranking)->both.realistic.mrr,
                trained->valid_mrr.value(), 1e-4);
  }
  EXPECT_GE(after.valid_mrr, before.valid_mrr);
  EXPECT_TRUE(
      std::ranges::equal(after.model.parameters.shared(), before.model.parameters.shared()));
  // There is nothing to weigh by where validation facts are learned from.
  options.train.on_valid = true;
  const auto without = [&](bool balance) {
    options.train.balance = balance;
    const Trained trained = test::must_train(dataset, options);
    EXPECT_FALSE(trained.valid_mrr);
    return test::values_of(trained);
  };
  EXPECT_EQ(without(true), without(false));
}

}  // namespace
}  // namespace lerpp
