// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/report/relation_table.hpp>

namespace lerpp {
namespace {

TEST(RelationTable, PutsEachRelationUnderItsHighestFunctionWithItsSign) {
  Dataset dataset;
  for (const char* name : {"wife", "husband", "son"}) dataset.relations.intern(name);
  const std::vector<EmbedFunction> functions = {
      {1, Formula::exists(0), 0.9, false, {{0, 0.5}, {1, -0.4}, {2, 0.1}}},
      {2, Formula::exists(1), 0.9, false, {{1, 0.3}, {0, -0.2}, {2, 0.05}}},
      {3, Formula::exists(2), 0.9, false, {{0, -0.9}, {2, -0.02}, {1, 0}}}};
  const RelationTable table = relation_table(functions);
  ASSERT_EQ(table.rows.size(), 3U);
  // A large negative coefficient counts as much as a positive one.
  ASSERT_EQ(table.rows[0].relations.size(), 2U);
  EXPECT_EQ(table.rows[0].relations[0].relation, 1U);
  EXPECT_EQ(table.rows[0].relations[0].coefficient, -0.4);
  EXPECT_EQ(table.rows[0].relations[1].relation, 2U);
  EXPECT_TRUE(table.rows[1].relations.empty());
  ASSERT_EQ(table.rows[2].relations.size(), 1U);
  EXPECT_EQ(table.rows[2].relations[0].relation, 0U);
  const std::string text = to_text(table, dataset);
  EXPECT_NE(text.find("-husband  +son"), std::string::npos) << text;
  EXPECT_NE(text.find("-wife"), std::string::npos) << text;
  EXPECT_EQ(text.find("L2"), std::string::npos) << "it has none";
  const Json json = to_json(table, dataset);
  EXPECT_EQ(json[2]["relations"][0]["sign"], "-");
  EXPECT_EQ(json[1]["relations"].size(), 0U);
}

TEST(RelationTable, OfPlainTranseIsEmpty) {
  EXPECT_TRUE(relation_table({}).rows.empty());
}

}  // namespace
}  // namespace lerpp
