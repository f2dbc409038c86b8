// SPDX-License-Identifier: Apache-2.0
#include "bench/memory.hpp"

#include <gtest/gtest.h>

#include <lerp/bench/scale.hpp>

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

TEST(ScaleBench, RefusesRelationsThatDoNotRise) {
  ScaleBenchOptions options;
  options.over = "relations";
  for (const char* relations : {"", "5,5", "3", "5,x", "5;6"}) {
    options.relations = relations;
    const auto refused = bench_scale(options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace lerpp
