// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lerpp {

/// Where learning epoch by epoch is: what every checkpoint holds beside the parameters.
struct EpochState {
  std::uint32_t epoch = 0;       ///< in progress, counted from 0
  std::uint64_t batch = 0;       ///< the next step of that epoch
  double loss = 0;               ///< summed over that epoch's queries so far
  double epoch_seconds = 0;      ///< of that epoch so far
  double seconds = 0;            ///< in all
  std::uint32_t best_epoch = 0;  ///< counted from 1; 0 before the first
  double best_score = 0;         ///< of that epoch

  /// Every number with the name that it has in a file.
  template <class Self, class Visit>
  static void numbers(Self& self, Visit&& visit) {
    visit("epoch", self.epoch);
    visit("batch", self.batch);
    visit("loss", self.loss);
    visit("epoch_seconds", self.epoch_seconds);
    visit("seconds", self.seconds);
    visit("best_epoch", self.best_epoch);
    visit("best_score", self.best_score);
  }
};

}  // namespace lerpp
