// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <lerp/bench/report.hpp>
#include <lerp/server/server.hpp>

namespace lerpp {

struct ServeBenchOptions {
  std::string ask = "predict";
  std::uint32_t connections = 64;
  double seconds = 10;
  std::uint32_t cache = 0;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"ask", "what is asked of every test fact in turn", {"predict", "explain"}},
          self.ask);
    visit(Field{"connections", "that ask at once", 1, 10'000}, self.connections);
    visit(Field{"seconds", "to go on asking", 0.1, 86'400}, self.seconds);
    visit(Field{"cache", "MiB of answers that the server keeps", 0, 65'536}, self.cache);
    visit(Field{"threads", "of the server; 0 is one for each core", 0, 1024}, self.threads);
  }
};

/// How many questions a server answers a second, and how long each waits, with as many who ask as
/// there are connections: each asks again when it has been answered. Rows requests_per_second,
/// p50_ms, p99_ms, errors, and peak_memory_bytes.
Result<BenchReport> bench_serve(const Run& run, const ServeBenchOptions& options,
                                const Observer& observer = {});

}  // namespace lerpp
