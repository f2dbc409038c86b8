// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/bench/report.hpp>

namespace lerpp {

struct LoadBenchOptions {
  std::uint64_t facts = 10'000'000;
  std::uint32_t entities = 1'000'000;
  std::uint32_t relations = 100;
  unsigned threads = 0;
  unsigned runs = 3;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"facts", "how many facts the generated file has", 1000, 1e9}, self.facts);
    visit(Field{"entities", "how many entities", 10, 4e9}, self.entities);
    visit(Field{"relations", "how many relations", 4, 1e6}, self.relations);
    visit(Field{"threads", "how many threads to use; 0 is one for each core", 0, 1024},
          self.threads);
    visit(Field{"runs", "how often to load; the median counts", 1, 100}, self.runs);
  }
};

/// Loads a generated file of plain triples and builds the two-direction graph.
Result<BenchReport> bench_load(const LoadBenchOptions& options, const Observer& observer = {});

}  // namespace lerpp
