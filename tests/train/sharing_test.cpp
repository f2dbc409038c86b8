// SPDX-License-Identifier: Apache-2.0
#include "train/sharing.hpp"

#include <gtest/gtest.h>

#include "train/adam.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

ModelShape shape_of_three_relations() {
  ModelShape shape{3, 0, 0, 1, 1};
  shape.evidence = true;
  shape.constants = 1;
  return shape;
}

/// All gradients 0 but for one weight of one target.
Parameters<float> gradient_of(const ModelShape& shape, OperatorId target, std::size_t weight,
                              float value) {
  Parameters<float> gradient(shape);
  gradient.of(Part::constant, target)[weight] = value;
  return gradient;
}

TEST(Sharing, MovesTheSameKindOfEveryTarget) {
  const ModelShape shape = shape_of_three_relations();
  SharedState state(shape);
  Sharing sharing(shape, state);
  Parameters<float> parameters(shape);
  // The confidence of target 1 by constants of its own relation: operator 1.
  sharing.step(0.1, sharing.slope(1, gradient_of(shape, 1, 2 * 1 + 1, 5)));
  for (OperatorId other = 0; other < parameters.shape().operators(); ++other)
    sharing.catch_up(other, parameters);
  for (OperatorId target = 0; target < shape.operators(); ++target) {
    const std::span<const float> weights = parameters.of(Part::constant, target);
    for (std::size_t weight = 0; weight < weights.size(); ++weight) {
      const bool same_kind = weight == 2 * target + 1;
      EXPECT_NEAR(weights[weight], same_kind ? -0.1 : 0, 1e-6) << target << ' ' << weight;
    }
  }
}

TEST(Sharing, TellsInversesAndOthersApart) {
  const ModelShape shape = shape_of_three_relations();
  const auto moved = [&](OperatorId op) {
    SharedState state(shape);
    Sharing sharing(shape, state);
    Parameters<float> parameters(shape);
    sharing.step(0.1, sharing.slope(1, gradient_of(shape, 1, 2 * op, 5)));
    sharing.catch_up(5, parameters);
    std::vector<OperatorId> result;
    for (OperatorId other = 0; other < shape.operators(); ++other) {
      if (parameters.of(Part::constant, 5)[2 * other] != 0) result.push_back(other);
    }
    return result;
  };
  // Target 1 is relation 1, target 5 the inverse of relation 2.
  EXPECT_EQ(moved(1), std::vector<OperatorId>({5}));
  EXPECT_EQ(moved(4), std::vector<OperatorId>({2}));
  EXPECT_EQ(moved(0), std::vector<OperatorId>({0, 1, 3, 4}));
  EXPECT_EQ(moved(5), std::vector<OperatorId>({0, 1, 3, 4}));
}

TEST(Sharing, CatchingUpLateIsCatchingUpAtOnce) {
  const ModelShape shape = shape_of_three_relations();
  SharedState eager_state(shape);
  SharedState late_state(shape);
  Sharing eager(shape, eager_state);
  Sharing late(shape, late_state);
  Parameters<float> always(shape);
  Parameters<float> in_the_end(shape);
  for (std::uint64_t step = 0; step < 50; ++step) {
    const auto target = static_cast<OperatorId>(step % shape.operators());
    const Parameters<float> gradient = initial_parameters<float>(shape, step);
    for (OperatorId other = 0; other < always.shape().operators(); ++other)
      eager.catch_up(other, always);
    late.catch_up(target, in_the_end);
    eager.step(0.1, eager.slope(target, gradient));
    late.step(0.1, late.slope(target, gradient));
  }
  for (OperatorId other = 0; other < always.shape().operators(); ++other)
    eager.catch_up(other, always);
  for (OperatorId other = 0; other < in_the_end.shape().operators(); ++other)
    late.catch_up(other, in_the_end);
  for (std::size_t i = 0; i < always.values().size(); ++i)
    EXPECT_NEAR(always.values()[i], in_the_end.values()[i], 1e-5);
  // Twice is once.
  const std::vector<float> before = test::values_of(in_the_end);
  for (OperatorId other = 0; other < in_the_end.shape().operators(); ++other)
    late.catch_up(other, in_the_end);
  EXPECT_EQ(test::values_of(in_the_end), before);
}

}  // namespace
}  // namespace lerpp
