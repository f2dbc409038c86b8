// SPDX-License-Identifier: Apache-2.0
#include "train/links.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace lerpp {
namespace {

/// 100 pairs that two training facts link, 100 that one does, and validation facts of some of them.
Dataset dataset_with(std::size_t linked_valid, std::size_t unlinked_valid) {
  Dataset dataset;
  for (EntityId pair = 0; pair < 200; ++pair) {
    const EntityId from = 2 * pair;
    dataset[Split::train].push_back({from, 0, from + 1});
    if (pair < 100) dataset[Split::train].push_back({from + 1, 1, from});
  }
  for (EntityId i = 0; i < linked_valid; ++i)
    dataset[Split::valid].push_back({2 * i, 2, 2 * i + 1});
  for (EntityId i = 0; i < unlinked_valid; ++i)
    dataset[Split::valid].push_back({2 * i, 2, 2 * i + 3});
  return dataset;
}

TEST(Links, OtherFactsCountInEitherDirection) {
  const LinkShares shares = link_shares(dataset_with(10, 30));
  EXPECT_DOUBLE_EQ(shares.train, 200.0 / 300);
  EXPECT_DOUBLE_EQ(shares.valid, 10.0 / 40);
}

TEST(Links, LinkedFactsAreDroppedWhereValidationHasNone) {
  const Dataset dataset = dataset_with(0, 40);
  const std::vector<Fact> asked = asked_like_validation(dataset, 1);
  EXPECT_EQ(asked.size(), 100U);
  for (const Fact& fact : asked) EXPECT_GE(fact.subject, 200U);
}

TEST(Links, TheirShareBecomesThatOfValidation) {
  const Dataset dataset = dataset_with(20, 20);
  const std::vector<Fact> asked = asked_like_validation(dataset, 1);
  const auto linked = std::count_if(asked.begin(), asked.end(),
                                    [](const Fact& fact) { return fact.subject < 200; });
  EXPECT_EQ(asked.size() - static_cast<std::size_t>(linked), 100U);
  EXPECT_NEAR(static_cast<double>(linked), 100, 25);
  EXPECT_EQ(asked, asked_like_validation(dataset, 1));
  EXPECT_NE(asked, asked_like_validation(dataset, 2));
}

TEST(Links, AllAreAskedAboutWhereNothingDiffers) {
  EXPECT_EQ(asked_like_validation(dataset_with(40, 0), 1).size(), 300U);
  EXPECT_EQ(asked_like_validation(dataset_with(0, 0), 1).size(), 300U);
}

}  // namespace
}  // namespace lerpp
