// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/bench/readable.hpp>
#include <lerp/kg/generate.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

TEST(ReadableBench, CountsWhatTheStrongestReasonsCarry) {
  // Of 10 in favour, the first three carry 8; what counts against the answer is left out.
  const Concentration one = concentration({{1, 5, -7, 2, 1, 1}});
  EXPECT_NEAR(one.top3_share, 0.8, 1e-12);
  EXPECT_NEAR(one.top5_share, 1, 1e-12);
  EXPECT_EQ(one.reasons_for_90_percent, 4);
  const Concentration three = concentration({{1, 1, 1, 1}, {4}, {-1}, {3, 1}});
  EXPECT_NEAR(three.top3_share, 1, 1e-12);
  EXPECT_EQ(concentration({}).top3_share, 0);
}

TEST(SlowReadableBench, ListsHaveTheirSizesAndFewerReasonsThanTheModel) {
  const test::TemporaryFolder folder;
  FamilyOptions family;
  family.people = 60;
  ASSERT_TRUE(write_generated(generate_family(family), folder / "data", WriteFormat::tsv, {}));
  ReadableOptions options;
  options.seeds = 1;
  options.facts = 5;
  options.threads = 1;
  const Result<ReadableBench> bench = bench_readable({folder / "data"}, {5, 10, 10}, options,
                                                     {"train.epochs=1", "evidence.path_length=2"});
  ASSERT_TRUE(bench) << to_string(bench.error());
  ASSERT_EQ(bench->rows.size(), 3U);
  const ReadableRow& soft = bench->rows[0];
  EXPECT_EQ(soft.method, "soft");
  for (const std::size_t place : {1U, 2U}) {
    const ReadableRow& list = bench->rows[place];
    EXPECT_EQ(list.method, "list");
    EXPECT_EQ(list.most, place == 1 ? 10U : 5U);
    EXPECT_LE(list.rules_per_relation, list.most);
    EXPECT_GT(list.mrr, 0);
    EXPECT_LE(list.reasons.reasons_for_90_percent, soft.reasons.reasons_for_90_percent);
    EXPECT_LE(list.reasons.top3_share, list.reasons.top5_share);
  }
  const Json json = to_json(*bench)["results"];
  EXPECT_TRUE(json[0]["rules_per_relation"].is_null());
  EXPECT_EQ(json[1]["mrr_realistic"], bench->rows[1].mrr);
  EXPECT_NE(to_svg(*bench).find("rules a relation"), std::string::npos);
}

TEST(ReadableBench, TellsWhatIsWrongBeforeItBegins) {
  const Result<ReadableBench> absent = bench_readable({"nowhere"}, {5}, {}, {});
  ASSERT_FALSE(absent);
  EXPECT_EQ(test::sentence(absent),
            "there is no such dataset (nowhere): give a dataset folder or file");
  EXPECT_FALSE(bench_readable({}, {0}, {}, {}));
}

}  // namespace
}  // namespace lerpp
