// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/bench/report.hpp>

namespace lerpp {

struct EventsBenchOptions {
  std::uint64_t smallest = 12'500;
  std::uint64_t largest = 100'000;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"smallest", "events of the smallest graph; each next one has twice as many", 100,
                1e8},
          self.smallest);
    visit(Field{"largest", "events of the largest graph", 100, 1e8}, self.largest);
  }
};

/// How the time of reading, ordering, scoring, learning and counting grows with the events of one
/// made-up graph. Seconds are those of the processor, on one thread.
Result<BenchReport> bench_events(const EventsBenchOptions& options, const Observer& observer = {});

}  // namespace lerpp
