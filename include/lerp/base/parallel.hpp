#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace lerpp {

/// How many workers to use: as asked, or one for each core.
inline unsigned worker_count(unsigned asked) {
  return asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

/// The share [first, last) of `count` items that belongs to one worker.
inline std::pair<std::size_t, std::size_t> slice(std::size_t count, unsigned worker,
                                                 unsigned workers) {
  return {count * worker / workers, count * (worker + 1) / workers};
}

/// Calls `work(worker)` once for each worker, at the same time, and waits for all of them.
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
    std::vector<std::jthread> threads;
    for (unsigned worker = 1; worker < workers; ++worker) {
      threads.emplace_back([&guarded, worker] { guarded(worker); });
    }
    guarded(0);
  }
  for (const std::exception_ptr& error : thrown) {
    if (error) std::rethrow_exception(error);
  }
}

/// Calls `work(worker, first, last)` for blocks of `count` items, each block taken by whoever is
/// free.
template <class Work>
void run_blocks(std::size_t count, std::size_t block, unsigned workers, Work&& work) {
  std::atomic<std::size_t> next = 0;
  run_workers(workers, [&](unsigned worker) {
    for (;;) {
      const std::size_t first = next.fetch_add(block);
      if (first >= count) return;
      work(worker, first, std::min(count, first + block));
    }
  });
}

}  // namespace lerpp
