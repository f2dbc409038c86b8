// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace lerpp {

/// base^exponent by square roots and products only, which every machine rounds alike; std::pow
/// differs in the last digit from one library to the next. For base >= 1.
double portable_power(double base, double exponent);

/// Ranks in [0, count) with the chance of rank k about (k + 1)^-exponent. The ranks are cut into
/// steps that grow with the rank: a draw picks a step by weight and a rank within it evenly.
class Zipf {
 public:
  Zipf(std::uint64_t count, double exponent);

  std::uint64_t draw(Random& random) const;
  std::uint64_t count() const { return starts_.back(); }

 private:
  std::vector<std::uint64_t> starts_;   ///< of the steps; one more than there are
  std::vector<std::uint64_t> weights_;  ///< summed up to and with each step
  std::vector<std::uint16_t> guide_;    ///< for the high bits of a draw, the first step to look at
};

/// Cuts `total` into parts whose sizes fall with that law, each at most `limit`; what does not fit
/// is left out.
std::vector<std::uint64_t> zipf_parts(std::uint64_t total, std::size_t parts, double exponent,
                                      std::uint64_t limit);

}  // namespace lerpp
