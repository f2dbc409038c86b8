// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include <lerp/embed/embed.hpp>

namespace lerpp {

/// Where the schedule "plateau" stands. It depends on the epochs that are done alone, so that an
/// interrupted run goes on with the same rate.
struct Plateau {
  double share = 1;   ///< of the rate, in the next epoch
  bool over = false;  ///< on the last plateau: there is no next epoch
};

/// How often the rate falls before the end, and to what share of it.
inline constexpr int plateau_falls = 3;
inline constexpr double plateau_fall = 1.0 / 3;

/// MRR is that of the training facts, or of the validation facts where there are no others; where
/// nothing is ranked the rate stays.
inline Plateau plateau_after(std::span<const EmbedEpoch> epochs, std::uint32_t patience,
                             double rise) {
  double best = -std::numeric_limits<double>::infinity();
  std::uint32_t since = 0;
  int falls = 0;
  for (const EmbedEpoch& epoch : epochs) {
    const std::optional<double> mrr = epoch.train_mrr ? epoch.train_mrr : epoch.valid_mrr;
    if (!mrr) continue;
    if (*mrr > best + rise) {
      best = *mrr;
      since = 0;
    } else if (++since == patience) {
      ++falls;
      since = 0;
    }
  }
  return {std::pow(plateau_fall, falls), falls > plateau_falls};
}

}  // namespace lerpp
