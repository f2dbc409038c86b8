// SPDX-License-Identifier: Apache-2.0
#include "base/adam_step.hpp"

#include <cmath>

namespace lerpp {
namespace {

constexpr double first_decay = 0.9;
constexpr double epsilon = 1e-8;

template <class Real>
void move_all(const AdamStep& step, std::span<Real> x, std::span<const Real> gradient,
              std::span<Real> first, std::span<Real> second) {
  const auto steps = static_cast<double>(step.count);
  const auto keep = static_cast<Real>(1 - step.rate * step.decay);
  const auto pace = static_cast<Real>(step.rate / (1 - std::pow(first_decay, steps)));
  const auto correction = static_cast<Real>(1 / (1 - std::pow(step.second_decay, steps)));
  const auto keep_square = static_cast<Real>(step.second_decay);
  const auto take_square = static_cast<Real>(1 - step.second_decay);
  // Plain pointers: the compiler makes vectors of them.
  Real* const value = x.data();
  Real* const mean = first.data();
  Real* const square = second.data();
  const Real* const d = gradient.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean[i] = static_cast<Real>(first_decay) * mean[i] + static_cast<Real>(1 - first_decay) * d[i];
    square[i] = keep_square * square[i] + take_square * d[i] * d[i];
    value[i] = keep * value[i] -
               pace * mean[i] / (std::sqrt(square[i] * correction) + static_cast<Real>(epsilon));
  }
}

}  // namespace

void AdamStep::move(std::span<float> x, std::span<const float> gradient, std::span<float> first,
                    std::span<float> second) const {
  move_all(*this, x, gradient, first, second);
}

void AdamStep::move(std::span<double> x, std::span<const double> gradient, std::span<double> first,
                    std::span<double> second) const {
  move_all(*this, x, gradient, first, second);
}

}  // namespace lerpp
