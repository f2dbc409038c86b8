// SPDX-License-Identifier: Apache-2.0
#include "train/owners.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lerpp {
namespace {

std::vector<std::uint64_t> loads(const std::vector<std::uint64_t>& costs,
                                 const std::vector<unsigned>& owner, unsigned parts) {
  std::vector<std::uint64_t> sums(parts);
  for (std::size_t i = 0; i < costs.size(); ++i) sums.at(owner[i]) += costs[i];
  return sums;
}

TEST(Owners, TheDearestComeFirst) {
  const std::vector<std::uint64_t> costs = {1, 8, 3, 5, 4};
  EXPECT_EQ(owners(costs, 2), (std::vector<unsigned>{1, 0, 0, 1, 1}));
  EXPECT_EQ(owners(costs, 1), std::vector<unsigned>(5, 0));
  EXPECT_TRUE(owners({}, 3).empty());
}

TEST(Owners, TargetsWithoutFactsAreSpread) {
  EXPECT_EQ(owners(std::vector<std::uint64_t>(6, 0), 3), (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
}

RC_GTEST_PROP(Owners, NobodyHasMuchMoreThanAnother, ()) {
  const auto costs =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 1000));
  const auto parts = *rc::gen::inRange(1U, 9U);
  const std::vector<unsigned> owner = owners(costs, parts);
  RC_ASSERT(owner == owners(costs, parts));
  const std::vector<std::uint64_t> sums = loads(costs, owner, parts);
  // Whoever has most had the least before its last and cheapest target came.
  const auto most = static_cast<unsigned>(std::ranges::max_element(sums) - sums.begin());
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (owner[i] == most) last = last == 0 ? costs[i] : std::min(last, costs[i]);
  }
  RC_ASSERT(sums[most] <= *std::ranges::min_element(sums) + last);
}

}  // namespace
}  // namespace lerpp
