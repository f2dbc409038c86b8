// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <type_traits>
#include <vector>

#include <lerp/base/parallel.hpp>

namespace lerpp {

/// Workers that stay for many short jobs: a job of some microseconds cannot pay for starting
/// threads. One thread gives the jobs; a job gives none to its own team.
class Team {
 public:
  /// As `worker_count` says, or as many as the system gives threads for. The caller is worker 0.
  explicit Team(unsigned workers = 0);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  unsigned size() const { return workers_; }

  /// Calls `work(worker, item)` for every item below `count` and waits for all. Items are begun in
  /// order, each by whoever is free, and `worker` is the same for no two at once. After an
  /// exception no more are begun, and it is thrown again here.
  template <class Work>
  void each(std::size_t count, Work&& work) {
    if (workers_ == 1 || count <= 1) {
      for (std::size_t item = 0; item < count; ++item) work(0U, item);
      return;
    }
    using Kept = std::remove_reference_t<Work>;
    share_out({[](void* kept, unsigned worker, std::size_t item) {
                 (*static_cast<Kept*>(kept))(worker, item);
               },
               const_cast<std::remove_const_t<Kept>*>(&work), count});
  }

  /// Calls `job(worker)` once for each worker and waits for all. Exceptions as above.
  void run(const std::function<void(unsigned)>& job);

 private:
  struct Job {
    void (*call)(void* work, unsigned worker, std::size_t item) = nullptr;
    void* work = nullptr;
    std::size_t count = 0;
  };

  void share_out(const Job& job);
  void serve(unsigned worker);
  bool enter();
  void take_items(unsigned worker);

  unsigned workers_ = 1;
  bool may_spin_ = false;
  std::atomic<bool> over_ = false;
  Job job_;
  std::exception_ptr error_;
  // Each on a cache line of its own: all threads write them.
  alignas(64) std::atomic<unsigned> round_ = 0;   ///< rises with every job
  alignas(64) std::atomic<unsigned> inside_ = 0;  ///< workers at the job, and whether it is closed
  alignas(64) std::atomic<std::size_t> next_ = 0;
  alignas(64) std::atomic<bool> failed_ = false;
  std::vector<std::jthread> threads_;
};

/// Calls `work(first, last)` on each worker's part of `count` items; the caller does all where
/// there is no team, or fewer than `least`.
template <class Work>
void share(Team* team, std::size_t count, std::size_t least, Work&& work) {
  if (team == nullptr || count < least) {
    work(std::size_t{0}, count);
    return;
  }
  team->run([&](unsigned worker) {
    const auto [first, last] = slice(count, worker, team->size());
    work(first, last);
  });
}

}  // namespace lerpp
