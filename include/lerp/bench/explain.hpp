// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/options.hpp>
#include <lerp/bench/report.hpp>
#include <lerp/explain/explain.hpp>

namespace lerpp {

struct ExplainBenchOptions {
  std::uint32_t facts = 200;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(
        Field{"facts", "test facts that are asked about and explained, in both directions", 1, 1e9},
        self.facts);
  }
};

/// How long a loaded predictor takes to answer and to explain: median, 95th percentile and worst,
/// by the clock, and the median of the processor's time.
Result<BenchReport> bench_explain(const Predictor& predictor,
                                  const ExplainBenchOptions& options = {},
                                  const Observer& observer = {});

}  // namespace lerpp
