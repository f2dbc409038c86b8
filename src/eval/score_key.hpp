// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

/// Scores as whole numbers, so that ranking never depends on how a compiler treats NaN.
namespace lerpp {

/// Orders scores as ranking does: by value, with -0 equal to +0, and everything that is not a
/// number equal to each other and below -infinity.
using ScoreKey = std::int32_t;

/// Below every score: an entity that is no candidate counts neither as greater nor as equal.
inline constexpr ScoreKey no_candidate = std::numeric_limits<ScoreKey>::min();
inline constexpr ScoreKey not_a_number = no_candidate + 1;
inline constexpr std::int32_t infinity_bits = 0x7F800000;
inline constexpr std::int32_t magnitude_bits = 0x7FFFFFFF;

inline ScoreKey key_of(float score) {
  const auto bits = std::bit_cast<std::int32_t>(score);
  const std::int32_t magnitude = bits & magnitude_bits;
  if (magnitude > infinity_bits) return not_a_number;
  return bits < 0 ? -magnitude : magnitude;
}

}  // namespace lerpp
