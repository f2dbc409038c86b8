// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/clock.hpp"

namespace lerpp {

class Stopwatch {
 public:
  double seconds() const { return seconds_since(start_); }

 private:
  Clock::time_point start_ = Clock::now();
};

/// The best of a few: what the code can do when nobody disturbs it.
template <class Action>
double least_seconds(int repetitions, Action&& action) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const Stopwatch watch;
    action();
    best = std::min(best, watch.seconds());
  }
  return best;
}

}  // namespace lerpp
