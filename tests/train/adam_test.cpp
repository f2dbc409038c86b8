// SPDX-License-Identifier: Apache-2.0
#include "train/adam.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "train/small_family.hpp"

namespace lerpp {
namespace {

using test::values_of;

const ModelShape shape{2, 3, 2, 2, 2};

/// Rules that add evidence, with paces of their own for some of it.
ModelShape shape_with_terms() {
  ModelShape with = shape;
  with.evidence = with.positive = true;
  with.prior = with.constants = 1;
  with.paths = 4;
  return with;
}

/// What a step of these targets finds, drawn from the seed.
struct Drawn {
  Drawn(const ModelShape& of, std::size_t lanes, std::uint64_t seed)
      : gradient(draw(of, 1000 * seed)) {
    for (std::size_t lane = 1; lane <= lanes; ++lane) {
      const Parameters<float> other = draw(of, 1000 * seed + lane);
      findings.shared.emplace_back(other.shared().begin(), other.shared().end());
      findings.losses.push_back(0);
    }
  }

  /// No number is 0, as some parameters are at the start.
  static Parameters<float> draw(const ModelShape& of, std::uint64_t seed) {
    Parameters<float> drawn = initial_parameters<float>(of, seed);
    float number = 0;
    for (float& value : drawn.values()) value = std::sin(++number + static_cast<float>(seed));
    return drawn;
  }

  Parameters<float> gradient;
  StepFindings<float> findings;
};

/// Adam as in its paper, one number at a time, in double.
struct Reference {
  double value = 0, first = 0, second = 0;
  int steps = 0;

  void step(double gradient, double rate, double decay) {
    ++steps;
    first = 0.9 * first + 0.1 * gradient;
    second = 0.999 * second + 0.001 * gradient * gradient;
    const double mean = first / (1 - std::pow(0.9, steps));
    const double square = second / (1 - std::pow(0.999, steps));
    value = value * (1 - rate * decay) - rate * mean / (std::sqrt(square) + 1e-8);
  }
};

/// Targets of a step: some come often, some seldom, in changing order, and never twice.
std::vector<OperatorId> targets_of(std::uint64_t step) {
  switch (step % 4) {
    case 0:
      return {1, 0};
    case 1:
      return {0};
    case 2:
      return {0, 3, 1};
    default:
      return {2, 1};
  }
}

/// Runs steps beside the reference; every parameter must agree.
void compare(const ModelShape& of, const Adam::Settings& settings, unsigned threads = 1) {
  Team team(exactly(threads));
  AdamState state(of);
  Parameters<float> parameters = initial_parameters<float>(of, 1);
  std::vector<Reference> references;
  for (const float value : parameters.values()) references.push_back({value, 0, 0, 0});
  for (std::uint64_t step = 0; step < 40; ++step) {
    const std::vector<OperatorId> targets = targets_of(step);
    const Drawn drawn(of, targets.size(), step);
    for (const std::vector<float>& slopes : drawn.findings.shared) {
      // Nothing pulls the functions.
      for (std::size_t i = 0; i < slopes.size(); ++i)
        references[i].step(double{slopes[i]}, settings.rate, 0);
    }
    for (const OperatorId target : targets) {
      for (std::size_t part = 0; part < part_count; ++part) {
        const auto own = std::as_const(parameters).of(static_cast<Part>(part), target);
        const auto place = static_cast<std::size_t>(own.data() - parameters.values().data());
        for (std::size_t i = place; i < place + own.size(); ++i) {
          references[i].step(double{drawn.gradient.values()[i]},
                             settings.rate * settings.paces[part], settings.weight_decay);
        }
      }
    }
    Adam::step(settings, targets, drawn.gradient, drawn.findings, parameters, state, team);
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    EXPECT_NEAR(parameters.values()[i], references[i].value,
                1e-5 * (1 + std::abs(references[i].value)))
        << "place " << i;
  }
}

TEST(Adam, AgreesWithItsPaper) {
  compare(shape, {0.1, 0});
  compare(shape_with_terms(), {0.1, 0}, 3);
}
TEST(Adam, WeightDecayIsDecoupled) {
  compare(shape, {0.05, 0.2});
}
TEST(Adam, PartsHaveTheirPaces) {
  Adam::Settings settings{0.1, 0.1};
  settings.paces[static_cast<std::size_t>(Part::path)] = 0.1;
  settings.paces[static_cast<std::size_t>(Part::prior)] = 3;
  settings.paces[static_cast<std::size_t>(Part::rho)] = 0.5;
  compare(shape_with_terms(), settings);
}

TEST(Adam, StepsAreCountedByTarget) {
  Team team(1);
  AdamState state(shape);
  Parameters<float> parameters = initial_parameters<float>(shape, 1);
  for (std::uint64_t step = 0; step < 4; ++step) {
    const std::vector<OperatorId> targets = targets_of(step);
    const Drawn drawn(shape, targets.size(), step);
    Adam::step({}, targets, drawn.gradient, drawn.findings, parameters, state, team);
  }
  EXPECT_EQ(state.steps, (std::vector<std::uint64_t>{3, 3, 1, 1, 8}));
}

TEST(Adam, FunctionsMoveLaneAfterLane) {
  Team team(1);
  const std::vector<OperatorId> targets = {3, 0, 2};
  const Drawn drawn(shape, 3, 1);
  Parameters<float> together = initial_parameters<float>(shape, 1);
  Parameters<float> apart = together;
  AdamState state_together(shape);
  AdamState state_apart(shape);
  for (int repeat = 0; repeat < 3; ++repeat) {
    Adam::step({}, targets, drawn.gradient, drawn.findings, together, state_together, team);
    for (std::size_t lane = 0; lane < targets.size(); ++lane) {
      Adam::step({}, {&targets[lane], 1}, drawn.gradient, {{0}, {drawn.findings.shared[lane]}},
                 apart, state_apart, team);
    }
  }
  EXPECT_EQ(values_of(together), values_of(apart));
  EXPECT_EQ(values_of(state_together.first), values_of(state_apart.first));
  EXPECT_EQ(values_of(state_together.second), values_of(state_apart.second));
  EXPECT_EQ(state_together.steps, state_apart.steps);

  // In another order they come to something else.
  StepFindings<float> turned = drawn.findings;
  std::swap(turned.shared[0], turned.shared[2]);
  Parameters<float> other = initial_parameters<float>(shape, 1);
  AdamState state(shape);
  for (int repeat = 0; repeat < 3; ++repeat)
    Adam::step({}, targets, drawn.gradient, turned, other, state, team);
  EXPECT_FALSE(std::ranges::equal(other.shared(), together.shared()));
  EXPECT_TRUE(std::ranges::equal(other.a(3), together.a(3)));
}

TEST(Adam, ThreadsChangeNothing) {
  // Large enough that functions and targets fall into several pieces.
  ModelShape large{20, 60, 2, 130, 3};
  const std::vector<OperatorId> targets = {7, 0, 39, 20};
  const Drawn drawn(large, targets.size(), 1);
  ASSERT_GT(drawn.gradient.shared().size(), 3U << 11U);
  ASSERT_GT(drawn.gradient.rho(0).size(), 1U << 14U);
  const auto moved = [&](unsigned threads) {
    Team team(exactly(threads));
    Parameters<float> parameters = initial_parameters<float>(large, 1);
    AdamState state(large);
    for (int step = 0; step < 3; ++step)
      Adam::step({0.1, 0.1}, targets, drawn.gradient, drawn.findings, parameters, state, team);
    return std::array{values_of(parameters), values_of(state.first), values_of(state.second)};
  };
  const auto alone = moved(1);
  for (const unsigned threads : {2U, 5U}) EXPECT_TRUE(moved(threads) == alone) << threads;
}

TEST(Adam, OtherTargetsStayWhereTheyAre) {
  Team team(1);
  AdamState state(shape);
  Parameters<float> parameters = initial_parameters<float>(shape, 1);
  const Parameters<float> before = parameters;
  const Drawn drawn(shape, 1, 2);
  const OperatorId target = 1;
  Adam::step({0.1, 0.1}, {&target, 1}, drawn.gradient, drawn.findings, parameters, state, team);
  for (const OperatorId other : {0U, 2U, 3U}) {
    EXPECT_TRUE(std::ranges::equal(parameters.a(other), before.a(other)));
    EXPECT_TRUE(std::ranges::equal(parameters.rho(other), before.rho(other)));
    EXPECT_TRUE(std::ranges::equal(parameters.w(other), before.w(other)));
  }
  EXPECT_FALSE(std::ranges::equal(parameters.a(1), before.a(1)));
  EXPECT_FALSE(std::ranges::equal(parameters.shared(), before.shared()));
}

TEST(Adam, AnEmbeddingStaysAsItIs) {
  ModelShape embedded = shape;
  embedded.embedding = 3;
  embedded.entities = 5;
  Team team(1);
  AdamState state(embedded);
  Parameters<float> parameters = initial_parameters<float>(embedded, 1);
  const Parameters<float> before = parameters;
  const Drawn drawn(embedded, 1, 2);
  const OperatorId target = 1;
  Adam::step({0.1, 0.1}, {&target, 1}, drawn.gradient, drawn.findings, parameters, state, team);
  EXPECT_TRUE(std::ranges::equal(parameters.of(Part::relation, 1), before.of(Part::relation, 1)));
  EXPECT_EQ(parameters.of(Part::mix, 1)[0], before.of(Part::mix, 1)[0]);
  EXPECT_TRUE(std::ranges::equal(parameters.entities(), before.entities()));
  EXPECT_FALSE(std::ranges::equal(parameters.a(1), before.a(1)));
}

}  // namespace
}  // namespace lerpp
