// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace lerpp {

/// log(1 + count). Counts are small, nearly always.
inline double log_of_count(std::uint64_t count) {
  constexpr std::size_t size = 4096;
  static const std::array<double, size> table = [] {
    std::array<double, size> values{};
    for (std::size_t i = 0; i < size; ++i) values[i] = std::log1p(static_cast<double>(i));
    return values;
  }();
  return count < size ? table[count] : std::log1p(static_cast<double>(count));
}

}  // namespace lerpp
