#include "train/balance.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/describe.hpp"
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

TEST(Balance, FindsTheRatiosThatRankBest) {
  const ModelShape shape = shape_with_all();
  const std::vector<EvidenceKind> kinds = evidence_kinds(shape, Softmax::each);
  // As ranks do, this looks at ratios alone: constants should count for an eighth of the others.
  int asked = 0;
  const MeasureRanks measure = [&](const Parameters<float>& parameters) -> Result<double> {
    ++asked;
    const double constant = factor_of(parameters, Part::constant);
    double mrr = 1;
    for (const Part part : {Part::weight, Part::prior, Part::path}) {
      mrr -= 0.05 * std::abs(std::log2(factor_of(parameters, part) / constant) - 3);
    }
    return mrr;
  };
  const Result<Balanced> balanced = balance(ones(shape), kinds, 0.55, measure);
  ASSERT_TRUE(balanced);
  EXPECT_GT(asked, 0);
  EXPECT_NEAR(balanced->mrr, 1, 1e-6);
  EXPECT_NEAR(factor_of(balanced->parameters, Part::constant), 1.0 / 8, 1e-6);
  for (const Part part : {Part::weight, Part::prior, Part::path})
    EXPECT_NEAR(factor_of(balanced->parameters, part), 1, 1e-6);
  // What is no weight of evidence stays.
  EXPECT_EQ(factor_of(balanced->parameters, Part::scale), 1);
  EXPECT_EQ(factor_of(balanced->parameters, Part::a), 1);
  EXPECT_EQ(balanced->parameters.shared().front(), 1);
}

TEST(Balance, LeavesWhatIsNoWorseAsItIs) {
  const ModelShape shape = shape_with_all();
  const std::vector<EvidenceKind> kinds = evidence_kinds(shape, Softmax::two);
  const Parameters<float> learned = initial_parameters<float>(shape, 1);
  const MeasureRanks barely_better = [](const Parameters<float>&) {
    return Result<double>(0.5009);
  };
  const Result<Balanced> balanced = balance(learned, kinds, 0.5, barely_better);
  ASSERT_TRUE(balanced);
  EXPECT_EQ(test::values_of(balanced->parameters), test::values_of(learned));
}

TEST(Balance, EndsEvenIfOneKindIsAllThatHelps) {
  const ModelShape shape = shape_with_all();
  const std::vector<EvidenceKind> kinds = evidence_kinds(shape, Softmax::two);
  const MeasureRanks measure = [](const Parameters<float>& parameters) -> Result<double> {
    return std::log2(factor_of(parameters, Part::weight) / factor_of(parameters, Part::path));
  };
  const Result<Balanced> balanced = balance(ones(shape), kinds, 0, measure);
  ASSERT_TRUE(balanced);
  EXPECT_EQ(factor_of(balanced->parameters, Part::weight), 1);
  EXPECT_LT(factor_of(balanced->parameters, Part::path), 0.01F);
  EXPECT_GT(factor_of(balanced->parameters, Part::path), 0.001F);
}

TEST(Balance, PassesOnAFailure) {
  const ModelShape shape = shape_with_all();
  const std::vector<EvidenceKind> kinds = evidence_kinds(shape, Softmax::two);
  const MeasureRanks stopped = [](const Parameters<float>&) -> Result<double> {
    return fail("stopped", "", "", ErrorKind::interrupted);
  };
  const Result<Balanced> balanced = balance(ones(shape), kinds, 0, stopped);
  ASSERT_FALSE(balanced);
  EXPECT_EQ(balanced.error().kind, ErrorKind::interrupted);
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
    EXPECT_NEAR(evaluate(trained->model, dataset, ranking)->both.realistic.mrr,
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
