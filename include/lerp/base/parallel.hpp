// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace lerpp {

/// The cores that this process may use.
unsigned usable_cores();

constexpr unsigned exact_workers = 1U << 31;

/// A number of workers that is meant as it is, even above the cores. Tests prove with it that
/// threads change nothing, and benchmarks measure what they cost; users' numbers are capped.
constexpr unsigned exactly(unsigned workers) {
  return workers | exact_workers;
}

constexpr bool is_exact(unsigned workers) {
  return (workers & exact_workers) != 0;
}

/// How many workers to use: as asked, but no more than cores; 0 is one for each core.
unsigned worker_count(unsigned asked);

/// The share [first, last) of `count` items that belongs to one worker.
inline std::pair<std::size_t, std::size_t> slice(std::size_t count, unsigned worker,
                                                 unsigned workers) {
  return {count * worker / workers, count * (worker + 1) / workers};
}

/// Makes up to `count` threads, `make(i)` one after the other: as many as the system gives.
template <class Make>
std::vector<std::jthread> make_threads(unsigned count, const Make& make) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  try {
    for (unsigned i = 0; i < count; ++i) threads.push_back(make(i));
  } catch (const std::system_error&) {  // a limit on processes, or no memory for a stack
  } catch (const std::bad_alloc&) {
  }
  return threads;
}

/// Calls `work(worker)` once for each worker, at the same time, and waits for all of them. Where
/// there are too few threads, the caller does the work of several. What a worker throws is thrown
/// again here.
template <class Work>
void run_workers(unsigned workers, Work&& work) {
  std::vector<std::exception_ptr> thrown(workers);
  const auto guarded = [&](unsigned worker) {
    try {
      work(worker);
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  {
    const std::vector<std::jthread> threads = make_threads(workers - 1, [&guarded](unsigned i) {
      return std::jthread([&guarded, worker = i + 1] { guarded(worker); });
    });
    guarded(0);
    for (auto worker = static_cast<unsigned>(threads.size()) + 1; worker < workers; ++worker) {
      guarded(worker);
    }
  }
  for (const std::exception_ptr& error : thrown) {
    if (error) std::rethrow_exception(error);
  }
}

/// Calls `work(worker, first, last)` for blocks of `count` items, each block taken by whoever is
/// free. After an exception no more are taken.
template <class Work>
void run_blocks(std::size_t count, std::size_t block, unsigned workers, Work&& work) {
  std::atomic<std::size_t> next = 0;
  run_workers(workers, [&](unsigned worker) {
    for (;;) {
      const std::size_t first = next.fetch_add(block);
      if (first >= count) return;
      try {
        work(worker, first, std::min(count, first + block));
      } catch (...) {
        next = count;
        throw;
      }
    }
  });
}

}  // namespace lerpp
