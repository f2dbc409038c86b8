// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace lerpp {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace lerpp
