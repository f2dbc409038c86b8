#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include <lerp/base/parallel.hpp>

namespace lerpp {

/// Workers that stay for many short jobs: a job of some microseconds cannot pay for starting
/// threads.
class Team {
 public:
  /// 0 is one worker for each core. The caller is worker 0.
  explicit Team(unsigned workers = 0);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  unsigned size() const { return workers_; }

  /// Calls `job(worker)` once for each worker, at the same time, and waits for all. Jobs must not
  /// throw.
  void run(const std::function<void(unsigned)>& job);
  /// Whether the caller does the work of all workers, one after the other, with the same results:
  /// jobs can be too short to be worth waiting for each other.
  void work_alone(bool alone) { alone_ = alone; }

 private:
  void serve(unsigned worker);

  unsigned workers_;
  bool alone_ = false;
  const std::function<void(unsigned)>* job_ = nullptr;
  std::atomic<unsigned> round_ = 0;    ///< rises with every job
  std::atomic<unsigned> working_ = 0;  ///< workers still at the job
  std::atomic<bool> over_ = false;
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
