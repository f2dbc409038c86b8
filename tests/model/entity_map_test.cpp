// SPDX-License-Identifier: Apache-2.0
#include "model/entity_map.hpp"

#include <map>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "model/row_set.hpp"

namespace lerpp {
namespace {

constexpr std::size_t entities = 100'000;

/// As an array, and as a table.
class EntityMapTest : public testing::TestWithParam<std::size_t> {
 protected:
  EntityMap<int> map_ = EntityMap<int>(entities, -1, GetParam());
};

TEST_P(EntityMapTest, HoldsWhatWasWrittenAndForgetsIt) {
  Random random(1);
  for (const std::size_t count : {3U, 5'000U, 40U}) {
    std::map<EntityId, int> expected;
    std::vector<EntityId> touched;
    for (std::size_t i = 0; i < count; ++i) {
      const auto entity = static_cast<EntityId>(random.below(entities));
      if (expected.emplace(entity, 0).second) touched.push_back(entity);
      expected[entity] = static_cast<int>(i);
      map_[entity] = static_cast<int>(i);
    }
    for (const auto& [entity, value] : expected) EXPECT_EQ(map_.get(entity), value);
    for (EntityId entity = 0; entity < entities; entity += 7) {
      if (!expected.contains(entity)) {
        EXPECT_EQ(map_.get(entity), -1);
      }
    }
    map_.forget(touched);
    for (const EntityId entity : touched) EXPECT_EQ(map_.get(entity), -1);
  }
}

TEST_P(EntityMapTest, TouchingGivesTheValueOfNone) {
  EXPECT_EQ(map_[17], -1);
  EXPECT_EQ(map_[17]++, -1);
  EXPECT_EQ(map_.get(17), 0);
  EXPECT_EQ(map_.size(), entities);
}

INSTANTIATE_TEST_SUITE_P(Modes, EntityMapTest, testing::Values(entities, std::size_t{0}));

TEST(RowSet, NumbersRowsAsTheyCome) {
  RowSet rows;
  rows.resize(static_cast<EntityId>(EntityMap<std::uint32_t>::most_array + 1));
  for (int round = 0; round < 2; ++round) {
    for (const EntityId entity : {70'000U, 5U, 70'000U, 262'144U}) rows.add(entity);
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows.slot(70'000), 0U);
    EXPECT_EQ(rows.slot(5), 1U);
    EXPECT_EQ(rows.slot(262'144), 2U);
    EXPECT_EQ(rows.slot(6), kernels::no_slot);
    rows.clear();
    EXPECT_EQ(rows.slot(5), kernels::no_slot);
  }
}

TEST(RowSet, HasTheSlotsOfAllWhereTheyAreAskedFor) {
  RowSet rows;
  const auto many = static_cast<EntityId>(EntityMap<std::uint32_t>::most_array + 1);
  rows.resize(many, RowSet::Slots::all);
  rows.add(many - 1);
  EXPECT_EQ(rows.slots()[many - 1], 0U);
  EXPECT_EQ(rows.slots()[0], kernels::no_slot);
}

}  // namespace
}  // namespace lerpp
