// SPDX-License-Identifier: Apache-2.0
#include "embed/embedding_trainer.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace lerpp {
namespace {

ModelShape small_shape(std::uint32_t rank) {
  ModelShape shape{2, 1, 0, 1, 1};
  shape.embedding = rank;
  shape.entities = 12;
  return shape;
}

/// Relation 0 leads to the next entity, relation 1 to the one after that.
Graph ring() {
  std::vector<Fact> facts;
  for (EntityId entity = 0; entity < 12; ++entity) {
    facts.push_back({entity, 0, (entity + 1) % 12});
    facts.push_back({entity, 1, (entity + 2) % 12});
  }
  return {12, 2, {facts}};
}

struct Trained {
  Parameters<float> parameters;
  Parameters<float> squares;
  std::vector<double> losses;
};

Trained begin(const ModelShape& shape) {
  return {initial_parameters<float>(shape, 1), Parameters<float>(shape), {}};
}

void learn(Trained& state, std::uint32_t first, std::uint32_t last, unsigned threads = 1) {
  const Graph graph = ring();
  Team team(exactly(threads));
  EmbeddingTrainer trainer(graph, state.parameters.shape(), {0.1, 0.01, 8, 1}, team);
  for (std::uint32_t epoch = first; epoch < last; ++epoch) {
    trainer.start_epoch(epoch);
    double loss = 0;
    for (std::size_t batch = 0; batch < trainer.batches(); ++batch)
      loss += trainer.learn(batch, state.parameters, state.squares);
    state.losses.push_back(loss / static_cast<double>(trainer.queries_before(trainer.batches())));
  }
}

TEST(EmbeddingOptimizer, IsAdagradAndClearsTheGradient) {
  // Odd sizes: slices of threads and vectors end anywhere.
  const ModelShape shape = small_shape(7);
  for (const unsigned threads : {1U, 3U}) {
    Parameters<float> parameters = initial_parameters<float>(shape, 1);
    Parameters<float> squares(shape);
    Parameters<float> gradient(shape);
    const Parameters<float> before = parameters;
    const auto drawn = initial_parameters<float>(shape, 2);
    Team team(exactly(threads));
    EmbeddingOptimizer optimizer(squares, team);
    for (int step = 0; step < 2; ++step) {
      gradient = drawn;
      optimizer.step(0.5, parameters, gradient);
    }
    // Gradients d and d again: 1/2 d/|d| and then 1/2 d/|d sqrt 2|.
    const float moved = 0.5F + 0.5F / std::sqrt(2.0F);
    const auto expect_moved = [&](std::span<const float> from, std::span<const float> to,
                                  std::span<const float> direction, std::span<const float> left) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        EXPECT_NEAR(to[i], from[i] - std::copysign(moved, direction[i]), 1e-6);
        EXPECT_EQ(left[i], 0);
      }
    };
    expect_moved(before.entities(), parameters.entities(), drawn.entities(), gradient.entities());
    for (OperatorId target = 0; target < shape.operators(); ++target) {
      expect_moved(before.of(Part::relation, target), parameters.of(Part::relation, target),
                   drawn.of(Part::relation, target), gradient.of(Part::relation, target));
      EXPECT_TRUE(std::ranges::equal(before.a(target), parameters.a(target)));
      EXPECT_EQ(before.of(Part::mix, target)[0], parameters.of(Part::mix, target)[0]);
    }
  }
}

TEST(EmbeddingOptimizer, WhatHasNoGradientStays) {
  const ModelShape shape = small_shape(3);
  Parameters<float> parameters = initial_parameters<float>(shape, 1);
  const Parameters<float> before = parameters;
  Parameters<float> squares(shape);
  Parameters<float> gradient(shape);
  Team team(1);
  EmbeddingOptimizer(squares, team).step(0.1, parameters, gradient);
  EXPECT_TRUE(std::ranges::equal(before.values(), parameters.values()));
}

TEST(EmbeddingTrainer, LearnsARing) {
  Trained state = begin(small_shape(8));
  learn(state, 0, 60);
  EXPECT_NEAR(state.losses.front(), std::log(12), 0.2);
  EXPECT_LT(state.losses.back(), 0.5);
}

TEST(EmbeddingTrainer, GoesOnFromAnyEpoch) {
  Trained whole = begin(small_shape(5));
  learn(whole, 0, 4);
  Trained halves = begin(small_shape(5));
  learn(halves, 0, 2);
  learn(halves, 2, 4);
  EXPECT_EQ(whole.losses, halves.losses);
  EXPECT_TRUE(std::ranges::equal(whole.parameters.values(), halves.parameters.values()));
}

TEST(EmbeddingTrainer, ThreadsChangeNoByte) {
  Trained alone = begin(small_shape(5));
  learn(alone, 0, 3, 1);
  for (const unsigned threads : {1U, 2U, 5U}) {
    Trained shared = begin(small_shape(5));
    learn(shared, 0, 3, threads);
    EXPECT_EQ(shared.losses, alone.losses);
    EXPECT_TRUE(std::ranges::equal(shared.parameters.values(), alone.parameters.values()));
    EXPECT_TRUE(std::ranges::equal(shared.squares.values(), alone.squares.values()));
  }
}

}  // namespace
}  // namespace lerpp
