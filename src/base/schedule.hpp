// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <string_view>

namespace lerpp {

/// What is left of the learning rate at the end of a falling schedule.
inline constexpr double last_rate = 0.1;

/// The learning rate as a share of the first, when this share of the training is done.
inline double share_of_rate(std::string_view schedule, double done) {
  if (schedule == "linear") return 1 - (1 - last_rate) * done;
  if (schedule == "cosine") {
    const double share = (1 + std::cos(std::numbers::pi * done)) / 2;
    return last_rate + (1 - last_rate) * share;
  }
  return 1;
}

}  // namespace lerpp
