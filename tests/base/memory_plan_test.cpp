// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/memory_plan.hpp>
#include <lerp/base/parallel.hpp>

#include "support/describe.hpp"

namespace lerpp {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;

TEST(Memory, RefusesWhatIsNotFree) {
  EXPECT_TRUE(check_memory("a graph", gibibyte, gibibyte));
  EXPECT_TRUE(check_memory("a graph", gibibyte, 0));  // not known
  const auto refused = check_memory("a graph of 9 facts", 17 * gibibyte, 12 * gibibyte);
  EXPECT_EQ(
      test::sentence(refused),
      "a graph of 9 facts takes about 17.0 GiB of memory and 12.0 GiB are free: ask for less, "
      "or free some memory");
  EXPECT_EQ(refused.error().kind, ErrorKind::failure);
}

TEST(Memory, IsFree) {
  EXPECT_GT(free_memory(), 0U);
}

TEST(MemoryPlan, TakesAsManyThreadsAsHaveRoom) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
  const MemoryNeed need = {100 * mebibyte, gibibyte};
  const auto within = [&](std::uint64_t limit, unsigned threads) {
    return threads_within(MemoryLimit{limit, 10 * mebibyte}, need, threads, "this", "do less");
  };
  EXPECT_EQ(threads_within({}, need, 7, "this", "do less").value(), 7U);
  EXPECT_EQ(within(1000 * gibibyte, 0).value(), 0U);
  // A thread takes more than its gibibyte, for its stack.
  EXPECT_EQ(within(3 * gibibyte, exactly(7)).value(), 2U);
  EXPECT_EQ(within(3 * gibibyte, exactly(2)).value(), exactly(2));
  EXPECT_EQ(within(3 * gibibyte, 1).value(), 1U);
  const auto refused = within(gibibyte, 1);
  EXPECT_EQ(test::sentence(refused).find(
                "this takes about 1.1 GiB of memory and the limit is 1 GiB: allow more "
                "with --memory, or do less"),
            0U)
      << test::sentence(refused);
}

}  // namespace
}  // namespace lerpp
