// SPDX-License-Identifier: Apache-2.0
#include "train/fact_pool.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace lerpp {
namespace {

/// A thousand facts of relation 0, and five of relation 1 among them.
std::vector<Fact> pooled(std::uint64_t most, std::uint64_t seed) {
  FactPool pool(2, most, seed);
  for (EntityId e = 0; e < 1000; ++e) {
    pool.add({e, 0, e + 1});
    if (e % 200 == 0) pool.add({e, 1, e + 1});
  }
  return pool.take();
}

TEST(FactPool, KeepsAllInTheirOrderWithoutABound) {
  const std::vector<Fact> all = pooled(0, 1);
  ASSERT_EQ(all.size(), 1005U);
  EXPECT_EQ(all[0], (Fact{0, 0, 1}));
  EXPECT_EQ(all[1], (Fact{0, 1, 1}));
  EXPECT_EQ(all[2], (Fact{1, 0, 2}));
}

TEST(FactPool, KeepsSoManyOfEachRelation) {
  std::vector<Fact> some = pooled(100, 1);
  EXPECT_EQ(std::ranges::count(some, RelationId{0}, &Fact::relation), 100);
  EXPECT_EQ(std::ranges::count(some, RelationId{1}, &Fact::relation), 5);
  std::ranges::sort(some);
  EXPECT_EQ(std::ranges::adjacent_find(some), some.end());
}

TEST(FactPool, DrawsThemFromAllAlikeByTheSeed) {
  EXPECT_EQ(pooled(100, 1), pooled(100, 1));
  EXPECT_NE(pooled(100, 1), pooled(100, 2));
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Fact& fact : pooled(100, seed)) sum += fact.relation == 0 ? fact.subject : 0;
  }
  EXPECT_NEAR(sum / 5000, 499.5, 15);  // three and a half times the deviation of the mean
}

}  // namespace
}  // namespace lerpp
