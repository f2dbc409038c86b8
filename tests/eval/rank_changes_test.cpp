// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/eval/rank_changes.hpp>

namespace lerpp {
namespace {

TEST(RankChanges, TellsFirstWhatMovesTheMrrFurthest) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 2}};
  const std::vector<Rank> before = {{0, 0}, {9, 0}, {3, 1}, {1, 0}};
  const std::vector<Rank> after = {{1, 0}, {4, 0}, {3, 1}, {1, 1}};
  const RankChanges changes = rank_changes(facts, before, after);
  EXPECT_EQ(changes.questions, 4U);
  EXPECT_EQ(changes.better, 1U);
  EXPECT_EQ(changes.worse, 2U);
  EXPECT_DOUBLE_EQ(changes.before.mrr, (1 + 0.1 + 1 / 4.5 + 0.5) / 4);
  EXPECT_DOUBLE_EQ(changes.after.mrr, (0.5 + 0.2 + 1 / 4.5 + 1 / 2.5) / 4);
  EXPECT_DOUBLE_EQ(changes.before.hits_at_1, 0.25);
  ASSERT_EQ(changes.changes.size(), 3U);
  // From 1 to 2 is further than from 10 to 5; of two that go as far, the first is told first.
  EXPECT_EQ(changes.changes[0].fact, facts[0]);
  EXPECT_TRUE(changes.changes[0].tail);
  EXPECT_FALSE(changes.changes[1].tail);
  EXPECT_EQ(changes.changes[1].fact, facts[0]);
  EXPECT_EQ(changes.changes[2].fact, facts[1]);
  EXPECT_EQ(changes.changes[2].after.equal, 1U);
}

TEST(RankChanges, AreToldInNames) {
  Dataset data;
  for (const char* name : {"anna", "ben"}) data.entities.intern(name);
  data.relations.intern("knows");
  const std::vector<Fact> facts = {{0, 0, 1}};
  const std::vector<Rank> before = {{0, 0}, {0, 0}};
  const std::vector<Rank> after = {{0, 0}, {2, 1}};
  const Json json = to_json(rank_changes(facts, before, after), data, 5);
  ASSERT_EQ(json["changes"].size(), 1U);
  EXPECT_EQ(json["changes"][0]["head"]["name"], "anna");
  EXPECT_EQ(json["changes"][0]["asked"], "head");
  EXPECT_EQ(json["changes"][0]["after"], 3.5);
  EXPECT_EQ(to_json(rank_changes(facts, before, after), data, 0)["changes"].size(), 0U);
}

}  // namespace
}  // namespace lerpp
