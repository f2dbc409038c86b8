// SPDX-License-Identifier: Apache-2.0
#include "embed/embedding_mix.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace lerpp {
namespace {

Parameters<float> four_targets() {
  ModelShape shape{2, 1, 0, 1, 1};
  shape.embedding = 1;
  shape.entities = 5;
  return initial_parameters<float>(shape, 1);
}

float mix_of(const Parameters<float>& parameters, OperatorId target) {
  return parameters.of(Part::mix, target)[0];
}

/// Queries whose answers are drawn by softmax(rules + mix * embedding), and shown as if both were
/// `sure` times as sure.
void add_drawn(EmbeddingMix& chosen, OperatorId target, float mix, std::size_t queries,
               std::uint64_t seed, float sure = 1) {
  Random random(seed);
  const auto draw = [&] { return static_cast<float>(4 * random.real() - 2); };
  for (std::size_t query = 0; query < queries; ++query) {
    std::vector<float> rules(5);
    std::vector<float> embedding(5);
    std::vector<double> weights(5);
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      rules[i] = draw();
      embedding[i] = draw();
      weights[i] = std::exp(static_cast<double>(rules[i] + mix * embedding[i]));
      sum += weights[i];
    }
    double place = random.real() * sum;
    EntityId answer = 0;
    while (answer < 4 && place > weights[answer]) place -= weights[answer++];
    for (float& score : rules) score *= sure;
    for (float& score : embedding) score *= sure;
    chosen.add(target, rules, embedding, answer, {});
  }
}

TEST(EmbeddingMix, FindsTheMixOfEachTarget) {
  EmbeddingMix chosen(4);
  EmbeddingMix other(4);
  add_drawn(chosen, 0, 0, 4000, 1);
  add_drawn(chosen, 1, 1.5, 4000, 2);
  add_drawn(other, 2, 3, 4000, 3);
  add_drawn(other, 3, 3, 2, 4);
  chosen.add(other);
  Parameters<float> parameters = four_targets();
  chosen.store(parameters);
  EXPECT_NEAR(mix_of(parameters, 0), 0, 0.13);
  EXPECT_NEAR(mix_of(parameters, 1), 1.5, 0.2);
  EXPECT_NEAR(mix_of(parameters, 2), 3, 0.4);
  // Two queries say little: it follows the others, which are between 0 and 3.
  EXPECT_GT(mix_of(parameters, 3), 0.1F);
  EXPECT_LT(mix_of(parameters, 3), 2.5F);
}

TEST(EmbeddingMix, IsTheSameForScoresThatAreTooSure) {
  for (const float sure : {1.0F, 2.5F, 8.0F}) {
    EmbeddingMix chosen(4);
    add_drawn(chosen, 0, 1, 4000, 1, sure);
    add_drawn(chosen, 1, 2, 4000, 2, sure);
    Parameters<float> parameters = four_targets();
    chosen.store(parameters);
    EXPECT_NEAR(mix_of(parameters, 0), 1, 0.2) << sure;
    EXPECT_NEAR(mix_of(parameters, 1), 2, 0.3) << sure;
  }
}

TEST(EmbeddingMix, LeavesOtherKnownAnswersOut) {
  // The embedding prefers 1, which is known: without it, it is for the answer.
  const std::vector<float> rules = {0, 0, 0};
  const std::vector<float> embedding = {1, 50, 0};
  const std::vector<Edge> known = {{0, 0}, {0, 1}};
  EmbeddingMix chosen(4);
  chosen.add(0, rules, embedding, 0, known);
  Parameters<float> parameters = four_targets();
  chosen.store(parameters);
  EXPECT_EQ(mix_of(parameters, 0), EmbeddingMix::value(EmbeddingMix::values - 1));
}

TEST(EmbeddingMix, WithoutQueriesNothingChanges) {
  Parameters<float> parameters = four_targets();
  parameters.of(Part::mix, 2)[0] = 0.7F;
  EmbeddingMix(4).store(parameters);
  EXPECT_EQ(mix_of(parameters, 2), 0.7F);
}

}  // namespace
}  // namespace lerpp
