// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace lerpp {

/// One step of Adam (Kingma and Ba 2015) on some parameters: the `count`-th, counted from 1.
/// `decay` pulls them to 0, and the moments are kept beside them.
struct AdamStep {
  double rate = 0.1;
  double decay = 0;
  std::uint64_t count = 1;
  double second_decay = 0.999;

  void move(std::span<float> x, std::span<const float> gradient, std::span<float> first,
            std::span<float> second) const;
  void move(std::span<double> x, std::span<const double> gradient, std::span<double> first,
            std::span<double> second) const;
};

}  // namespace lerpp
