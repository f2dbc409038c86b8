// SPDX-License-Identifier: Apache-2.0
#include "base/adam_step.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace lerpp {
namespace {

/// As in the paper, one number at a time.
struct Reference {
  double value = 0, first = 0, second = 0;

  void step(double gradient, const AdamStep& adam) {
    const auto count = static_cast<double>(adam.count);
    first = 0.9 * first + 0.1 * gradient;
    second = adam.second_decay * second + (1 - adam.second_decay) * gradient * gradient;
    const double mean = first / (1 - std::pow(0.9, count));
    const double square = second / (1 - std::pow(adam.second_decay, count));
    value = value * (1 - adam.rate * adam.decay) - adam.rate * mean / (std::sqrt(square) + 1e-8);
  }
};

template <class Real>
void expect_as_in_the_paper(double second_decay, double tolerance) {
  constexpr std::size_t size = 37;
  std::vector<Real> values(size), first(size), second(size), gradient(size);
  std::vector<Reference> references(size);
  for (std::uint64_t count = 1; count <= 50; ++count) {
    const AdamStep adam{0.03, 0.01, count, second_decay};
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = static_cast<Real>(std::sin(static_cast<double>(i * 31 + count * 7)));
      references[i].step(static_cast<double>(gradient[i]), adam);
    }
    adam.move(values, gradient, first, second);
  }
  for (std::size_t i = 0; i < size; ++i)
    EXPECT_NEAR(static_cast<double>(values[i]), references[i].value, tolerance) << i;
}

TEST(AdamStep, MovesAsInThePaper) {
  for (const double second_decay : {0.999, 0.99}) {
    expect_as_in_the_paper<float>(second_decay, 1e-5);
    expect_as_in_the_paper<double>(second_decay, 1e-13);
  }
}

}  // namespace
}  // namespace lerpp
