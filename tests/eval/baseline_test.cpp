// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/eval/baseline.hpp>

#include "eval/inverse_baseline.hpp"
#include "eval/oracle.hpp"
#include "eval/shared_data.hpp"

namespace lerpp {
namespace {

std::vector<float> score(Baseline baseline, const Graph& known, Query query) {
  const auto scorer = make_baseline(baseline, known);
  Scores scores;
  scores.dense(3);  // what an earlier query left must not matter
  scorer->score({&query, 1}, {&scores, 1});
  return all_scores(scores, known.entities());
}

// r0 = { (0,1), (2,1), (1,3) }, r1 = { (1,0), (1,2), (3,0) }: r1 is r0 backwards, but for one fact.
const std::vector<Fact> toy_facts = {{0, 0, 1}, {2, 0, 1}, {1, 0, 3},
                                     {1, 1, 0}, {1, 1, 2}, {3, 1, 0}};
using Vector = std::vector<float>;

TEST(Baseline, SymmetryTurnsFactsRound) {
  const Graph known(4, 2, {toy_facts});
  EXPECT_EQ(score(Baseline::symmetry, known, {0, 1}), (Vector{1, 0, 1, 0}));  // r0(1, ?)
  EXPECT_EQ(score(Baseline::symmetry, known, {2, 1}), (Vector{0, 0, 0, 1}));  // r0(?, 1)
}

TEST(Baseline, FrequencyCountsAnswers) {
  const Graph known(4, 2, {toy_facts});
  EXPECT_EQ(score(Baseline::frequency, known, {0, 3}), (Vector{0, 2, 0, 1}));  // r0(3, ?)
  EXPECT_EQ(score(Baseline::frequency, known, {3, 0}), (Vector{0, 2, 0, 1}));  // r1(?, 0)
}

TEST(Baseline, ZeroScoresNothing) {
  const Graph known(4, 2, {toy_facts});
  EXPECT_EQ(score(Baseline::zero, known, {0, 3}), (Vector{0, 0, 0, 0}));
}

TEST(Baseline, InverseKnowsTheConfidenceOfItsRules) {
  const Graph known(4, 2, {toy_facts});
  const InverseBaseline scorer(known);
  // Two of three facts of r1 have their counterpart in r0.
  ASSERT_EQ(scorer.rules(0).size(), 1U);
  EXPECT_EQ(scorer.rules(0)[0].body, 3U);  // r1 backwards
  EXPECT_DOUBLE_EQ(scorer.rules(0)[0].confidence, 2.0 / (3 + 5));
  const Vector scores = score(Baseline::inverse, known, {0, 0});  // r0(0, ?) from r1(?, 0)
  EXPECT_EQ(scores[0], 0);
  EXPECT_FLOAT_EQ(scores[1], -std::log(1 - 0.25F));
  EXPECT_EQ(scores[1], scores[3]);
}

TEST(Baseline, IsChosenByName) {
  EXPECT_EQ(baseline_named("inverse").value(), Baseline::inverse);
  const auto unknown = baseline_named("transe");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::usage);
  EXPECT_EQ(to_string(unknown.error()),
            "there is no baseline 'transe': choose one of symmetry, inverse, frequency, zero");
}

/// MRR of a baseline on the test split: optimistic, realistic, pessimistic.
void expect_mrr(const Dataset& dataset, const Graph& known, Baseline baseline, double optimistic,
                double realistic, double pessimistic) {
  const auto report = rank(*make_baseline(baseline, known), dataset, {});
  ASSERT_TRUE(report);
  EXPECT_NEAR(report->both.optimistic.mrr, optimistic, 0.0005);
  EXPECT_NEAR(report->both.realistic.mrr, realistic, 0.0005);
  EXPECT_NEAR(report->both.pessimistic.mrr, pessimistic, 0.0005);
}

TEST(BaselineAnchors, Wn18rr) {
  const auto dataset = shared_dataset("wn18rr");
  if (!dataset) GTEST_SKIP() << "the shared data is absent";
  const Graph known = dataset->known_graph();
  expect_mrr(*dataset, known, Baseline::symmetry, .841, .346, .346);
  const auto zero = rank(*make_baseline(Baseline::zero, known), *dataset, {});
  EXPECT_EQ(zero->both.optimistic.mrr, 1.0);
  EXPECT_EQ(zero->both.optimistic.hits_at_1, 1.0);
  EXPECT_EQ(zero->both.tied, 1.0);
  EXPECT_LT(zero->both.realistic.mrr, .0001);
  EXPECT_EQ(zero->both.queries, 6268U);
}

TEST(BaselineAnchors, Wn18) {
  const auto dataset = shared_dataset("wn18");
  if (!dataset) GTEST_SKIP() << "the shared data is absent";
  const Graph known = dataset->known_graph(KnownSplits::train_and_valid);
  const auto report = rank(*make_baseline(Baseline::inverse, known), *dataset, {});
  // Published for the inverse model, which also knew the validation facts: .963.
  EXPECT_GT(report->both.realistic.mrr, .963);
}

}  // namespace
}  // namespace lerpp
