#include "train/sharing.hpp"

#include <algorithm>
#include <array>

#include "base/adam_step.hpp"

namespace lerpp {
namespace {

/// Lift and confidence, of each of the three kinds.
constexpr std::size_t shared_weights = 6;

}  // namespace

SharedState::SharedState(const ModelShape& shape)
    : weights(shared_weights),
      first_moments(shared_weights),
      second_moments(shared_weights),
      known(shared_weights * shape.operators()) {}

Sharing::Sharing(const ModelShape& shape, SharedState& state) : shape_(shape), state_(state) {}

std::size_t Sharing::kind_of(OperatorId target, std::size_t weight) const {
  const std::size_t op = weight / 2;
  const std::size_t relation = op % shape_.relations;
  const std::size_t kind = op == target ? 0 : relation == target % shape_.relations ? 1 : 2;
  return 2 * kind + weight % 2;
}

void Sharing::catch_up(OperatorId target, Parameters<float>& parameters) {
  const std::span<float> known =
      std::span(state_.known).subspan(target * shared_weights, shared_weights);
  if (std::ranges::equal(known, state_.weights)) return;
  const std::span<float> own = parameters.of(Part::constant, target);
  for (std::size_t weight = 0; weight < own.size(); ++weight) {
    const std::size_t kind = kind_of(target, weight);
    own[weight] += state_.weights[kind] - known[kind];
  }
  std::ranges::copy(state_.weights, known.begin());
}

void Sharing::catch_up(Parameters<float>& parameters) {
  for (OperatorId target = 0; target < shape_.operators(); ++target) catch_up(target, parameters);
}

void Sharing::step(double rate, OperatorId target, const Parameters<float>& gradient) {
  std::array<float, shared_weights> sums = {};
  const std::span<const float> own = gradient.of(Part::constant, target);
  for (std::size_t weight = 0; weight < own.size(); ++weight)
    sums[kind_of(target, weight)] += own[weight];
  AdamStep{rate, 0, ++state_.steps}.move(state_.weights, sums, state_.first_moments,
                                         state_.second_moments);
}

}  // namespace lerpp
