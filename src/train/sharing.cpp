// SPDX-License-Identifier: Apache-2.0
#include "train/sharing.hpp"

#include <algorithm>

#include "base/adam_step.hpp"

namespace lerpp {
namespace {

constexpr std::size_t shared_weights = Sharing::Slope().size();

}  // namespace

SharedState::SharedState(const ModelShape& shape)
    : weights(shared_weights),
      first_moments(shared_weights),
      second_moments(shared_weights),
      known(shared_weights * shape.operators()) {}

Sharing::Sharing(const ModelShape& shape, SharedState& state) : shape_(shape), state_(state) {}

std::size_t Sharing::kind_of(OperatorId target, OperatorId op) const {
  if (op == target) return 0;
  return op % shape_.relations == target % shape_.relations ? 1 : 2;
}

void Sharing::catch_up(OperatorId target, Parameters<float>& parameters) {
  const std::span<float> before = known(target);
  if (std::ranges::equal(before, state_.weights)) return;
  const std::span<float> own = parameters.of(Part::constant, target);
  const std::span<const OperatorId> operators = parameters.operators(target);
  for (std::size_t weight = 0; weight < own.size(); ++weight) {
    const std::size_t kind = 2 * kind_of(target, operators[weight / 2]) + weight % 2;
    own[weight] += state_.weights[kind] - before[kind];
  }
  std::ranges::copy(state_.weights, before.begin());
}

void Sharing::all_caught_up() {
  for (OperatorId target = 0; target < shape_.operators(); ++target)
    std::ranges::copy(state_.weights, known(target).begin());
}

Sharing::Slope Sharing::slope(OperatorId target, const Parameters<float>& gradient) const {
  Slope sums = {};
  const std::span<const float> own = gradient.of(Part::constant, target);
  const std::span<const OperatorId> operators = gradient.operators(target);
  for (std::size_t weight = 0; weight < own.size(); ++weight)
    sums[2 * kind_of(target, operators[weight / 2]) + weight % 2] += own[weight];
  return sums;
}

void Sharing::step(double rate, const Slope& slope) {
  AdamStep{rate, 0, ++state_.steps}.move(state_.weights, slope, state_.first_moments,
                                         state_.second_moments);
}

}  // namespace lerpp
