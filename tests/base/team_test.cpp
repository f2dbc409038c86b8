// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <lerp/base/parallel.hpp>
#include <lerp/base/team.hpp>

namespace lerpp {
namespace {

TEST(WorkerCount, IsCappedAtTheCoresUnlessMeantExactly) {
  EXPECT_GE(usable_cores(), 1U);
  EXPECT_EQ(worker_count(0), usable_cores());
  EXPECT_EQ(worker_count(1), 1U);
  EXPECT_EQ(worker_count(usable_cores() + 100), usable_cores());
  EXPECT_EQ(worker_count(exactly(usable_cores() + 3)), usable_cores() + 3);
  EXPECT_EQ(worker_count(exactly(0)), 1U);
  EXPECT_EQ(Team(usable_cores() + 1).size(), usable_cores());
  EXPECT_EQ(Team(exactly(5)).size(), 5U);
}

TEST(Team, CallsEveryItemOnce) {
  for (const unsigned workers : {1U, 2U, 7U}) {
    Team team(exactly(workers));
    for (const std::size_t count : {0U, 1U, 2U, 3U, 50U, 1000U}) {
      std::vector<std::atomic<int>> calls(count);
      std::atomic<bool> known_worker = true;
      team.each(count, [&](unsigned worker, std::size_t item) {
        if (worker >= team.size()) known_worker = false;
        ++calls[item];
      });
      EXPECT_TRUE(known_worker);
      for (const auto& call : calls) ASSERT_EQ(call, 1) << workers << " workers, " << count;
    }
  }
}

TEST(Team, LosesNothingOverManyShortJobs) {
  Team team(exactly(4));
  std::vector<std::size_t> sums(team.size());  // each worker's own: no two items share one at once
  std::size_t expected = 0;
  for (std::size_t job = 0; job < 20'000; ++job) {
    const std::size_t count = job % 7;
    expected += count * (count + 1) / 2;
    team.each(count, [&](unsigned worker, std::size_t item) { sums[worker] += item + 1; });
    if (job % 1000 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  std::size_t total = 0;
  for (const std::size_t sum : sums) total += sum;
  EXPECT_EQ(total, expected);
}

TEST(Team, DoesNotWakeOthersForOneItem) {
  Team team(exactly(3));
  std::set<std::thread::id> seen;
  for (int job = 0; job < 100; ++job) {
    team.each(1, [&](unsigned worker, std::size_t) {
      EXPECT_EQ(worker, 0U);
      seen.insert(std::this_thread::get_id());
    });
  }
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST(Team, SharesTheWork) {
  Team team(exactly(2));
  // The first item cannot end before somebody else has begun the second.
  std::atomic<bool> begun = false;
  team.each(2, [&](unsigned, std::size_t item) {
    if (item == 1) {
      begun = true;
      begun.notify_all();
    } else {
      begun.wait(false);
    }
  });
  EXPECT_TRUE(begun);
}

TEST(Team, RunsAJobOnceForEachWorker) {
  Team team(exactly(5));
  for (int job = 0; job < 1000; ++job) {
    std::vector<std::atomic<int>> calls(team.size());
    team.run([&](unsigned worker) { ++calls[worker]; });
    for (const auto& call : calls) ASSERT_EQ(call, 1);
  }
}

TEST(Team, ThrowsAgainWhatAnItemThrowsAndGoesOn) {
  for (const unsigned workers : {1U, 2U, 5U}) {
    Team team(exactly(workers));
    for (std::size_t bad = 0; bad < 40; ++bad) {
      std::atomic<std::size_t> begun = 0;
      const auto job = [&](unsigned, std::size_t item) {
        ++begun;
        if (item == bad) throw std::bad_alloc();
        // However late the news is, the others are not done before it comes.
        if (item > 1'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      };
      EXPECT_THROW(team.each(100'000, job), std::bad_alloc);
      EXPECT_LT(begun, 100'000U);  // the others stopped as well
    }
    std::atomic<int> calls = 0;
    team.each(10, [&](unsigned, std::size_t) { ++calls; });
    EXPECT_EQ(calls, 10);
    EXPECT_THROW(team.run([](unsigned) { throw std::runtime_error("all of them"); }),
                 std::runtime_error);
  }
}

TEST(RunWorkers, CallsEachOnceAndThrowsAgain) {
  std::vector<std::atomic<int>> calls(9);
  run_workers(9, [&](unsigned worker) { ++calls[worker]; });
  for (const auto& call : calls) EXPECT_EQ(call, 1);
  EXPECT_THROW(run_workers(3,
                           [](unsigned worker) {
                             if (worker == 2) throw std::bad_alloc();
                           }),
               std::bad_alloc);
}

TEST(RunBlocks, StopsAfterAnException) {
  std::atomic<std::size_t> begun = 0;
  const auto work = [&](unsigned, std::size_t first, std::size_t) {
    ++begun;
    if (first == 0) throw std::bad_alloc();
    std::this_thread::yield();
  };
  EXPECT_THROW(run_blocks(1'000'000, 1, 3, work), std::bad_alloc);
  EXPECT_LT(begun, 1'000'000U);
}

}  // namespace
}  // namespace lerpp
