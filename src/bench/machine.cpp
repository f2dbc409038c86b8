// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <lerp/base/parallel.hpp>
#include <lerp/bench/report.hpp>

#include "bench/timing.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/machine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lerpp {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// a = b + s c, one pass over one worker's part of the arrays.
void Triad(const float* HWY_RESTRICT b, const float* HWY_RESTRICT c, float* HWY_RESTRICT a,
           std::size_t count) {
  const hn::ScalableTag<float> tag;
  const auto factor = hn::Set(tag, 3.0F);
  for (std::size_t i = 0; i + hn::Lanes(tag) <= count; i += hn::Lanes(tag)) {
    hn::Stream(hn::MulAdd(factor, hn::Load(tag, c + i), hn::Load(tag, b + i)), tag, a + i);
  }
}

/// Twelve chains of fused multiply-adds: enough to fill two units of latency four or five. Each
/// starts with a value of its own, which the compiler cannot know, and all go into `sums` (a whole
/// vector): equal chains would be merged into one, unused ones dropped. Returns how many operations
/// were done.
double MultiplyAdd(std::size_t rounds, const float* starts, float* sums) {
  const hn::ScalableTag<float> tag;
  const auto x = hn::Set(tag, 0.999F);
  const auto y = hn::Set(tag, 0.001F);
  const auto start = [&](std::size_t chain) { return hn::Set(tag, starts[chain]); };
  auto a0 = start(0), a1 = start(1), a2 = start(2), a3 = start(3), a4 = start(4), a5 = start(5);
  auto a6 = start(6), a7 = start(7), a8 = start(8), a9 = start(9), a10 = start(10), a11 = start(11);
  for (std::size_t round = 0; round < rounds; ++round) {
    a0 = hn::MulAdd(a0, x, y), a1 = hn::MulAdd(a1, x, y), a2 = hn::MulAdd(a2, x, y);
    a3 = hn::MulAdd(a3, x, y), a4 = hn::MulAdd(a4, x, y), a5 = hn::MulAdd(a5, x, y);
    a6 = hn::MulAdd(a6, x, y), a7 = hn::MulAdd(a7, x, y), a8 = hn::MulAdd(a8, x, y);
    a9 = hn::MulAdd(a9, x, y), a10 = hn::MulAdd(a10, x, y), a11 = hn::MulAdd(a11, x, y);
  }
  hn::StoreU(a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11, tag, sums);
  return 2.0 * 12 * static_cast<double>(rounds) * static_cast<double>(hn::Lanes(tag));
}

const char* Name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp {

HWY_EXPORT(Triad);
HWY_EXPORT(MultiplyAdd);
HWY_EXPORT(Name);

namespace {

constexpr int repetitions = 5;
constexpr std::size_t triad_floats = std::size_t{1} << 25;  // 128 MiB an array
constexpr std::size_t fma_rounds = 8'000'000;
constexpr std::size_t fma_chains = 12;
constexpr std::size_t sum_floats = 64;  // room for the widest vector there is

}  // namespace

Machine measure_machine(unsigned threads) {
  Machine machine;
  machine.threads = worker_count(threads);
  machine.instructions = HWY_DYNAMIC_DISPATCH(Name)();
  {
    std::vector<float> a(triad_floats), b(triad_floats, 1), c(triad_floats, 2);
    const double seconds = least_seconds(repetitions, [&] {
      run_workers(machine.threads, [&](unsigned worker) {
        // Parts start at multiples of 64 floats, so that aligned loads and streaming stores are
        // right.
        auto [first, last] = slice(triad_floats / 64, worker, machine.threads);
        // std::vector aligns to 16 bytes only: start at the next aligned float in each array alike.
        const auto shift = [](const std::vector<float>& v) {
          return (64 - reinterpret_cast<std::uintptr_t>(v.data()) % 64) % 64 / sizeof(float);
        };
        const std::size_t skip = std::max({shift(a), shift(b), shift(c)}) > 0 ? 64 : 0;
        const std::size_t begin = first * 64;
        const std::size_t end = last * 64 - skip;
        HWY_DYNAMIC_DISPATCH(Triad)
        (b.data() + shift(b) + begin, c.data() + shift(c) + begin, a.data() + shift(a) + begin,
         end - begin);
      });
    });
    machine.triad_gb_s = 3.0 * sizeof(float) * triad_floats / seconds * 1e-9;
  }
  machine.fma_gflop_s = measure_fma(machine.threads);
  return machine;
}

double measure_fma(unsigned threads) {
  std::vector<double> operations(threads);
  std::vector<float> starts(fma_chains);
  std::iota(starts.begin(), starts.end(), 1.0F);
  std::vector<float> sums(threads * sum_floats);
  const double seconds = least_seconds(repetitions, [&] {
    run_workers(threads, [&](unsigned worker) {
      operations[worker] =
          HWY_DYNAMIC_DISPATCH(MultiplyAdd)(fma_rounds, starts.data(), &sums[worker * sum_floats]);
    });
  });
  return std::accumulate(operations.begin(), operations.end(), 0.0) / seconds * 1e-9;
}

}  // namespace lerpp
#endif
