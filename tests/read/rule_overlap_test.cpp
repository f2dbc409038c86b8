// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include <gtest/gtest.h>

#include <lerp/logic/rule_text.hpp>
#include <lerp/read/check_rule.hpp>
#include <lerp/read/rule_overlap.hpp>

namespace lerpp {
namespace {

/// Facts of training, in words.
Dataset data_of(const std::vector<std::array<const char*, 3>>& facts) {
  Dataset data;
  for (const auto& [head, relation, tail] : facts) {
    data[Split::train].push_back(
        {data.entities.intern(head), data.relations.intern(relation), data.entities.intern(tail)});
  }
  return data;
}

Rule rule_of(const char* text, const Dataset& data) {
  return parse_rule(text, {data.relations, data.entities}).value();
}

TEST(RuleOverlap, CountsCommonPairsBothWays) {
  const Dataset data = data_of({{"1", "a", "2"},
                                {"1", "a", "3"},
                                {"2", "a", "3"},
                                {"1", "b", "2"},
                                {"4", "b", "5"},
                                {"5", "c", "4"},
                                {"1", "h", "2"}});
  const KnownGraph known(data);
  const std::vector<Rule> others = {
      rule_of("a(x,y) => h(x,y)", data), rule_of("b(x,y) => h(x,y)", data),
      rule_of("c(y,x) => h(x,y)", data), rule_of("a(x,z) & a(z,y) => h(x,y)", data),
      rule_of("a(x,y) => b(x,y)", data)};
  const RuleOverlap overlap = rule_overlap(others[0], others, known).value();
  EXPECT_EQ(overlap.pairs, 3U);
  EXPECT_EQ(overlap.counted, 1);
  // Not itself, not that of another relation, and none without a common pair.
  ASSERT_EQ(overlap.others.size(), 2U);
  EXPECT_EQ(overlap.others[0].rule, canonical(others[3], data.relations.size()));
  EXPECT_EQ(overlap.others[0].common, 1U);
  EXPECT_DOUBLE_EQ(overlap.others[0].share_of_own(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(overlap.others[0].share_of_other(), 1);
  EXPECT_EQ(overlap.others[1].pairs, 2U);
  EXPECT_DOUBLE_EQ(overlap.others[1].share_of_other(), 0.5);
  EXPECT_DOUBLE_EQ(overlap.others[1].likeness(), 0.25);
}

TEST(RuleOverlap, ComparesTheSameStartsWhereASampleIsLookedAt) {
  Dataset data;
  const RelationId a = data.relations.intern("a");
  const RelationId b = data.relations.intern("b");
  const RelationId h = data.relations.intern("h");
  for (int i = 0; i < 2000; ++i) data.entities.intern("e" + std::to_string(i));
  for (EntityId x = 0; x < 1999; ++x) {
    data[Split::train].push_back({x, a, x + 1});
    if (x % 2 == 0) data[Split::train].push_back({x, b, x + 1});
  }
  data[Split::train].push_back({0, h, 1});
  const KnownGraph known(data);
  const std::vector<Rule> others = {rule_of("b(x,y) => h(x,y)", data)};
  const RuleOverlap overlap =
      rule_overlap(rule_of("a(x,y) => h(x,y)", data), others, known, 1000).value();
  EXPECT_LT(overlap.counted, 1);
  ASSERT_EQ(overlap.others.size(), 1U);
  EXPECT_DOUBLE_EQ(overlap.others[0].share_of_other(), 1);
  EXPECT_NEAR(overlap.others[0].share_of_own(), 0.5, 0.1);
}

TEST(CheckRule, NamesWhatIsKnownInPlaceOfAPairFirst) {
  std::vector<std::array<const char*, 3>> facts = {{"anna", "lives", "rome"},
                                                   {"ben", "lives", "oslo"},
                                                   {"carl", "lives", "rome"},
                                                   {"anna", "born", "rome"},
                                                   {"ben", "born", "rome"}};
  const Dataset data = data_of(facts);
  const CheckedRule checked =
      check_rule(rule_of("lives(x,y) => born(x,y)", data), KnownGraph(data), 5).value();
  ASSERT_EQ(checked.examples.size(), 1U);
  ASSERT_EQ(checked.exceptions.size(), 2U);
  const auto id = [&](const char* name) { return *data.entities.find(name); };
  EXPECT_EQ(checked.exceptions[0].path.front(), id("ben"));
  ASSERT_TRUE(checked.exceptions[0].otherwise);
  EXPECT_EQ(checked.exceptions[0].otherwise->object, id("rome"));
  EXPECT_EQ(checked.exceptions[1].path.front(), id("carl"));
  EXPECT_FALSE(checked.exceptions[1].otherwise);
}

TEST(CheckRule, SaysNothingElseOfARelationThatIsNoFunction) {
  const Dataset data = data_of({{"anna", "likes", "rome"},
                                {"anna", "saw", "oslo"},
                                {"anna", "saw", "bonn"},
                                {"ben", "saw", "bonn"}});
  const CheckedRule checked =
      check_rule(rule_of("likes(x,y) => saw(x,y)", data), KnownGraph(data), 5).value();
  ASSERT_EQ(checked.exceptions.size(), 1U);
  EXPECT_FALSE(checked.exceptions[0].otherwise);
}

}  // namespace
}  // namespace lerpp
