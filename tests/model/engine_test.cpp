// SPDX-License-Identifier: Apache-2.0
#include "model/engine.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/random_case.hpp"

namespace lerpp {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The largest difference of two gradients, as a share of the largest value of either.
template <class Real>
double difference(const Parameters<Real>& a, const Parameters<Real>& b) {
  double most = 0;
  double scale = 1e-6;  // smaller ones are rounding
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const auto x = static_cast<double>(a.values()[i]);
    const auto y = static_cast<double>(b.values()[i]);
    if (!std::isfinite(x) || !std::isfinite(y)) return INFINITY;
    most = std::max(most, std::abs(x - y));
    scale = std::max({scale, std::abs(x), std::abs(y)});
  }
  return most / scale;
}

ModelShape any_shape() {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 4);
  shape.width = *rc::gen::inRange<std::uint32_t>(1, 7);
  shape.depth = *rc::gen::inRange<std::uint32_t>(0, 4);
  shape.rules = *rc::gen::inRange<std::uint32_t>(1, 9);
  shape.length = *rc::gen::inRange<std::uint32_t>(1, 5);
  // Many rules lie in blocks, of which only the first may have constraints.
  if (*rc::gen::inRange(0, 4) == 0) shape.rules = *rc::gen::inRange<std::uint32_t>(30, 50);
  if (shape.depth > 0 && *rc::gen::arbitrary<bool>())
    shape.plain = *rc::gen::inRange<std::uint32_t>(0, shape.rules);
  shape.positive = *rc::gen::arbitrary<bool>();
  shape.evidence = *rc::gen::arbitrary<bool>();
  shape.prior = shape.evidence && *rc::gen::arbitrary<bool>();
  shape.paths = shape.evidence ? *rc::gen::element(0U, 5U) : 0;
  shape.constants = shape.evidence && *rc::gen::arbitrary<bool>();
  return shape;
}

RandomCase any_case() {
  const ModelShape shape = any_shape();
  RandomSizes sizes;
  sizes.entities = *rc::gen::inRange<EntityId>(1, 12);
  sizes.facts = *rc::gen::inRange<std::size_t>(1, 30);
  sizes.queries = *rc::gen::inRange<std::size_t>(1, 8);
  return random_case(shape, sizes, *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
}

RC_GTEST_PROP(Engine, GradientIsTheSlopeOfTheLoss, ()) {
  const RandomCase given = any_case();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  Bench<double> engine(given, *rc::gen::element(Path::balls, Path::whole),
                       *rc::gen::inRange(1U, 4U));
  engine.settings.softmax = *rc::gen::element(Softmax::one, Softmax::two, Softmax::each);
  Parameters<double> parameters = random_parameters<double>(given.shape, seed);
  Parameters<double> gradient(given.shape);
  engine.learn(parameters, given.batch, gradient);
  const double norm = std::sqrt(dot(gradient.values(), gradient.values()));
  for (std::uint64_t number = 1; number <= 3; ++number) {
    const auto direction = random_direction(given.shape, given.batch.target, seed + number);
    const auto loss_at = [&](double step) {
      Parameters<double> moved = parameters;
      for (std::size_t i = 0; i < moved.values().size(); ++i)
        moved.values()[i] += step * direction.values()[i];
      Parameters<double> ignored(given.shape);
      return engine.learn(moved, given.batch, ignored);
    };
    // Five points: the error falls with the fourth power of the step, so the step can be coarse
    // enough for rounding not to matter.
    constexpr double h = 2e-3;
    const double slope =
        (8 * (loss_at(h) - loss_at(-h)) - (loss_at(2 * h) - loss_at(-2 * h))) / (12 * h);
    RC_ASSERT(std::abs(slope - dot(gradient.values(), direction.values())) <= 1e-6 * norm + 1e-10);
  }
}

RandomCase sparse_case(std::uint64_t seed) {
  ModelShape shape = any_shape();
  shape.depth = *rc::gen::inRange<std::uint32_t>(0, 3);
  shape.length = *rc::gen::inRange<std::uint32_t>(1, 4);
  return random_case(shape, {60, *rc::gen::inRange<std::size_t>(30, 70), 4}, seed);
}

RC_GTEST_PROP(Engine, BallsAndTheWholeGraphAgree, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const RandomCase given = sparse_case(seed);
  const auto balls = learn<double>(given, seed, Path::balls, 2);
  const auto whole = learn<double>(given, seed, Path::whole, 2);
  RC_CLASSIFY(balls.edges < whole.edges / 2, "balls are smaller than half the graph");
  RC_ASSERT(std::abs(balls.loss - whole.loss) <= 1e-10 * whole.loss);
  RC_ASSERT(difference(balls.gradient, whole.gradient) <= 1e-10);
}

RC_GTEST_PROP(Engine, SinglePrecisionBallsAndTheWholeGraphAgree, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const RandomCase given = sparse_case(seed);
  const auto balls = learn<float>(given, seed, Path::balls);
  const auto whole = learn<float>(given, seed, Path::whole);
  const auto exact = learn<double>(given, seed, Path::whole);
  RC_ASSERT(std::abs(balls.loss - exact.loss) <= 1e-4 * exact.loss);
  RC_ASSERT(difference(balls.gradient, whole.gradient) <= 1e-4);
}

// A rule without constraints scores as one whose constraints are all `true`.
RC_GTEST_PROP(Engine, PlainRulesHaveTheConstraintTrue, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const ModelShape all{2, 3, 2, *rc::gen::element(3U, 40U), 2};
  ModelShape some = all;
  some.plain = *rc::gen::inRange<std::uint32_t>(1, all.rules);
  const RandomCase given = random_case(all, {12, 20, 4}, seed);
  Parameters<double> parameters = random_parameters<double>(all, seed);
  Parameters<double> fewer(some);
  std::ranges::copy(parameters.shared(), fewer.shared().begin());
  for (OperatorId target = 0; target < all.operators(); ++target) {
    std::ranges::copy(parameters.a(target), fewer.a(target).begin());
    std::ranges::copy(parameters.w(target), fewer.w(target).begin());
    const std::span<double> rho = parameters.rho(target);
    std::copy_n(rho.begin(), fewer.rho(target).size(), fewer.rho(target).begin());
    // So much above the others that the softmax leaves these nothing.
    constexpr double certain = 1000;
    for (std::size_t at = fewer.rho(target).size(); at < rho.size(); at += all.functions() + 1U)
      rho[at] = certain;
  }
  RandomCase plain = given;
  plain.shape = some;
  Parameters<double> gradient(all);
  Parameters<double> fewer_gradient(some);
  const double loss = Bench<double>(given, Path::balls, 1).learn(parameters, given.batch, gradient);
  RC_ASSERT(
      std::abs(Bench<double>(plain, Path::balls, 1).learn(fewer, given.batch, fewer_gradient) -
               loss) <= 1e-12 * (1 + std::abs(loss)));
  const OperatorId target = given.batch.target;
  for (std::size_t i = 0; i < gradient.a(target).size(); ++i)
    RC_ASSERT(std::abs(gradient.a(target)[i] - fewer_gradient.a(target)[i]) <= 1e-12);
}

TEST(Engine, BallsAreSmallerThanTheGraph) {
  const RandomCase given = random_case({2, 4, 2, 2, 2}, {60, 60, 4}, 5);
  EXPECT_LT(learn<double>(given, 5, Path::balls).edges,
            learn<double>(given, 5, Path::whole).edges / 3);
}

RC_GTEST_PROP(Engine, ThreadsChangeNothing, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const RandomCase given = *rc::gen::arbitrary<bool>() ? any_case() : sparse_case(seed);
  const Path path = *rc::gen::element(Path::balls, Path::whole);
  const auto one = learn<float>(given, seed, path, 1);
  for (const unsigned threads : {2U, 5U}) {
    const auto many = learn<float>(given, seed, path, threads);
    RC_ASSERT(one.loss == many.loss || (std::isnan(one.loss) && std::isnan(many.loss)));
    RC_ASSERT(std::ranges::equal(one.gradient.values(), many.gradient.values()));
  }
}

// What a lane finds is what its batch finds alone, whatever is learned beside it.
RC_GTEST_PROP(Engine, LanesLearnAsIfAlone, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  RandomCase given = sparse_case(seed);
  std::vector<Batch> lanes = {given.batch};
  for (OperatorId target = 0; target < given.shape.operators(); ++target) {
    if (target == given.batch.target) continue;
    Batch other = given.batch;
    other.target = target;
    other.hidden.clear();
    std::rotate(other.starts.begin(), other.starts.begin() + 1, other.starts.end());
    lanes.push_back(other);
  }
  Bench<float> bench(given, *rc::gen::element(Path::balls, Path::whole), *rc::gen::inRange(1U, 4U));
  const auto parameters = random_parameters<float>(given.shape, seed);
  Parameters<float> together(given.shape);
  StepFindings<float> findings;
  bench.engine().learn(parameters, lanes, bench.settings, together, findings);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    Parameters<float> alone(given.shape);
    RC_ASSERT(bench.learn(parameters, lanes[lane], alone) == findings.losses[lane]);
    RC_ASSERT(std::ranges::equal(alone.shared(), findings.shared[lane]));
    for (std::size_t part = 0; part < part_count; ++part) {
      const auto which = static_cast<Part>(part);
      RC_ASSERT(std::ranges::equal(alone.of(which, lanes[lane].target),
                                   together.of(which, lanes[lane].target)));
    }
  }
}

// An engine keeps much between batches: none of it may show.
RC_GTEST_PROP(Engine, EarlierBatchesLeaveNothingBehind, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const RandomCase given = sparse_case(seed);
  const RandomCase other = random_case(given.shape, {60, 50, 3}, seed + 1);
  Bench<float> engine(given, *rc::gen::element(Path::balls, Path::whole), 2);
  const auto parameters = random_parameters<float>(given.shape, seed);
  Parameters<float> first(given.shape);
  Parameters<float> again(given.shape);
  const double loss = engine.learn(parameters, given.batch, first);
  engine.learn(initial_parameters<float>(given.shape, seed + 1), other.batch, again);
  std::ranges::fill(again.values(), 0.0F);
  RC_ASSERT(engine.learn(parameters, given.batch, again) == loss);
  RC_ASSERT(std::ranges::equal(first.values(), again.values()));
}

}  // namespace
}  // namespace lerpp
