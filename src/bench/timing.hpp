#pragma once

#include <algorithm>
#include <chrono>

namespace lerpp {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
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
