#include "base/adam_step.hpp"

#include <cmath>

namespace lerpp {
namespace {

constexpr double first_decay = 0.9;
constexpr double second_decay = 0.999;
constexpr double epsilon = 1e-8;

}  // namespace

void AdamStep::move(std::span<float> x, std::span<const float> gradient, std::span<float> first,
                    std::span<float> second) const {
  const auto steps = static_cast<double>(count);
  const auto keep = static_cast<float>(1 - rate * decay);
  const auto pace = static_cast<float>(rate / (1 - std::pow(first_decay, steps)));
  const auto correction = static_cast<float>(1 / (1 - std::pow(second_decay, steps)));
  // Plain pointers: the compiler makes vectors of them.
  float* const value = x.data();
  float* const mean = first.data();
  float* const square = second.data();
  const float* const d = gradient.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean[i] =
        static_cast<float>(first_decay) * mean[i] + static_cast<float>(1 - first_decay) * d[i];
    square[i] = static_cast<float>(second_decay) * square[i] +
                static_cast<float>(1 - second_decay) * d[i] * d[i];
    value[i] = keep * value[i] -
               pace * mean[i] / (std::sqrt(square[i] * correction) + static_cast<float>(epsilon));
  }
}

}  // namespace lerpp
