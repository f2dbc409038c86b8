// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/embed/embed.hpp>

#include "train/small_family.hpp"

namespace lerpp {
namespace {

struct Learned {
  Dataset dataset;
  Model rules;
  TransEModel embedding;
};

Learned learn_both(const std::string& readout) {
  Learned learned{test::family(100), {}, {}};
  TrainOptions options = test::small_options(1);
  options.rules.readout = readout;
  learned.rules = test::must_train(learned.dataset, options).model;
  EmbedOptions embedding;
  embedding.epochs = 8;
  embedding.threads = 1;
  Result<Embedded> embedded = embed(learned.dataset, embedding);
  EXPECT_TRUE(embedded) << to_string(embedded.error());
  if (embedded) learned.embedding = std::move(embedded->model);
  return learned;
}

TEST(EmbedEvaluate, AnEmbeddingIsATermBesideTheRules) {
  const Learned learned = learn_both("evidence");
  RankingOptions options;
  options.threads = 1;
  options.split = Split::valid;
  const auto both = evaluate_with_embedding(learned.rules, learned.embedding,
                                            KnownGraph(learned.dataset), options);
  ASSERT_TRUE(both) << to_string(both.error());
  const auto alone = evaluate(learned.rules, KnownGraph(learned.dataset), options);
  ASSERT_TRUE(alone);
  EXPECT_EQ(both->rules_only->both.realistic.mrr, alone->both.realistic.mrr);
  // How much it counts was chosen on these facts, and nothing at all was among the choices.
  EXPECT_GE(both->full.both.realistic.mrr, alone->both.realistic.mrr);
}

TEST(EmbedEvaluate, WithoutValidationItCountsAsItIs) {
  Learned learned = learn_both("evidence");
  learned.dataset[Split::valid].clear();
  const auto both =
      evaluate_with_embedding(learned.rules, learned.embedding, KnownGraph(learned.dataset), {});
  ASSERT_TRUE(both) << to_string(both.error());
  EXPECT_NE(both->full.both.realistic.mrr, both->rules_only->both.realistic.mrr);
}

TEST(EmbedEvaluate, SummedRulesAndOtherDataAreRefused) {
  const Learned summed = learn_both("sum");
  const auto refused =
      evaluate_with_embedding(summed.rules, summed.embedding, KnownGraph(summed.dataset), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().remedy, "train with rules.readout=evidence");
  const Learned learned = learn_both("evidence");
  EXPECT_FALSE(
      evaluate_with_embedding(learned.rules, learned.embedding, KnownGraph(test::family(90)), {}));
}

}  // namespace
}  // namespace lerpp
