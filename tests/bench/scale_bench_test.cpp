// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/bench/scale.hpp>

namespace lerpp {
namespace {

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
