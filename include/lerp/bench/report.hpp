// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lerp/base/json_fwd.hpp>

namespace lerpp {

/// What this machine can do, measured in the run that it is the yardstick of.
struct Machine {
  unsigned threads = 1;
  double triad_gb_s = 0;     ///< a[i] = b[i] + s c[i] over arrays far larger than the caches
  double fma_gflop_s = 0;    ///< fused multiply-adds in single precision, two operations each
  std::string instructions;  ///< the SIMD target chosen at run time, such as "AVX2"
};
Machine measure_machine(unsigned threads = 0);
/// Fused multiply-adds by exactly so many threads, in GFLOP/s: what cores that share nothing add up
/// to on this machine, where they may share a clock, or a core with others.
double measure_fma(unsigned threads);

/// What one pass of a kernel moves and does, and how long it takes.
struct KernelWork {
  double bytes = 0;       ///< read and written, wherever they lie
  double operations = 0;  ///< additions and multiplications; a fused one counts twice
  double seconds = 0;
};

struct BenchResult {
  std::string what;  ///< stable, documented
  double value = 0;
  std::string unit;
  std::optional<double> limit = {};     ///< the yardstick, in the same unit
  std::string limit_is = {};            ///< what the yardstick is, for people
  std::optional<KernelWork> work = {};  ///< of a kernel: what went into the value

  std::optional<double> share() const {
    return limit ? std::optional<double>(value / *limit) : std::nullopt;
  }
};

struct BenchReport {
  std::string bench;
  Machine machine;
  std::vector<BenchResult> results;
};
Json to_json(const BenchReport& report);
std::string to_text(const BenchReport& report);

}  // namespace lerpp
