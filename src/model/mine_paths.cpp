// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <condition_variable>
#include <list>
#include <numeric>

#include <lerp/base/parallel.hpp>
#include <lerp/model/paths.hpp>

#include "base/clock.hpp"
#include "model/path_miner.hpp"

namespace lerpp {
namespace {

/// Deals out the blocks of all targets. A target is begun when those begun before have nothing to
/// do for a thread, so that no more are in memory than threads need.
class MiningSchedule {
 public:
  MiningSchedule(const MiningGround& ground, std::vector<std::vector<RelationPath>>& paths)
      : ground_(ground), paths_(paths), order_(paths.size()) {
    // The largest first: what comes last is then soon done.
    std::iota(order_.begin(), order_.end(), 0);
    const auto facts = [&](OperatorId target) {
      return ground.facts.of(target % ground.graph.relations()).size();
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](OperatorId a, OperatorId b) { return facts(a) > facts(b); });
  }

  /// One thread's share; ends when all is done, or stopped.
  void work() {
    try {
      MiningSpace space(ground_);
      std::unique_lock lock(mutex_);
      while (Job* job = take(lock)) {
        const std::size_t block = job->next++;
        lock.unlock();
        job->miner.work(block, space);
        lock.lock();
        if (--job->left > 0) continue;
        lock.unlock();
        const bool more = job->miner.next();
        std::vector<RelationPath> found = more ? std::vector<RelationPath>() : job->miner.paths();
        lock.lock();
        if (more) {
          job->begin_stage();
        } else {
          paths_[job->miner.target()] = std::move(found);
          close(*job);
        }
        changed_.notify_all();
      }
      changed_.notify_all();  // whoever waits is to see that it is over
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failed_ = true;
      changed_.notify_all();
      throw;
    }
  }

 private:
  struct Job {
    Job(const MiningGround& ground, OperatorId target) : miner(ground, target) { begin_stage(); }
    void begin_stage() {
      next = 0;
      left = blocks = miner.blocks();
    }

    PathMiner miner;
    std::size_t blocks = 0;
    std::size_t next = 0;  ///< block to be taken
    std::size_t left = 0;  ///< blocks that are not done
  };

  /// A job with a block to take; waits where others must finish theirs first.
  Job* take(std::unique_lock<std::mutex>& lock) {
    while (!failed_ && !ground_.observer.stopped()) {
      for (Job& job : open_) {
        if (job.next < job.blocks) return &job;
      }
      if (begun_ < order_.size()) return &open_.emplace_back(ground_, order_[begun_++]);
      if (open_.empty()) return nullptr;
      changed_.wait(lock);
    }
    return nullptr;
  }

  void close(const Job& done) {
    open_.remove_if([&](const Job& job) { return &job == &done; });
    ++done_;
    if (Clock::now() < next_report_ && done_ < order_.size()) return;
    next_report_ = Clock::now() + std::chrono::milliseconds(50);
    ground_.observer.report({"mining paths", done_, order_.size(), "targets", {}});
  }

  const MiningGround& ground_;
  std::vector<std::vector<RelationPath>>& paths_;
  std::vector<OperatorId> order_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Job> open_;
  std::size_t begun_ = 0;
  std::size_t done_ = 0;
  bool failed_ = false;
  Clock::time_point next_report_;
};

}  // namespace

Result<PathTable> mine_paths(const Graph& graph, const PathOptions& options,
                             const Observer& observer) {
  const OperatorRows rows(graph, options.threads, observer);
  if (observer.stopped()) return fail_stopped("looking for paths");
  return mine_paths(rows, options, observer);
}

Result<PathTable> mine_paths(const OperatorRows& rows, const PathOptions& options,
                             const Observer& observer) {
  PathOptions plain = options;
  plain.threads &= ~exact_workers;
  LERP_CHECK(check_options(plain));
  const MiningGround ground(rows, options, observer);
  if (observer.stopped()) return fail_stopped("looking for paths");
  std::vector<std::vector<RelationPath>> paths(ground.graph.operators());
  MiningSchedule schedule(ground, paths);
  run_workers(worker_count(options.threads), [&](unsigned) { schedule.work(); });
  if (observer.stopped()) return fail_stopped("looking for paths");
  return PathTable(ground.graph.relations(), options.paths, std::move(paths));
}

}  // namespace lerpp
