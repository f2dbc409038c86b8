// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/report/report.hpp>

#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

class ReportTest : public ::testing::Test {
 protected:
  /// A run of a small family, in a folder of its own.
  std::filesystem::path run(const TrainOptions& options, const std::string& name = "run") {
    const std::filesystem::path data = folder_.path() / "families";
    FamilyOptions family;
    family.people = 100;
    if (!std::filesystem::exists(data)) {
      EXPECT_TRUE(write_generated(generate_family(family), data));
    }
    const Result<Dataset> dataset = load(data);
    EXPECT_TRUE(dataset) << to_string(dataset.error());
    const auto result =
        start_run(*dataset, data, resolve(*dataset, options).value(), folder_.path() / name);
    EXPECT_TRUE(result) << to_string(result.error());
    return folder_.path() / name;
  }

  test::TemporaryFolder folder_;
};

Result<Report> report_of(const std::filesystem::path& folder, const ReportOptions& options = {}) {
  LERP_TRY(saved, open_run(folder));
  LERP_TRY(dataset, load_data(saved.config, 2));
  const Predictor predictor(std::move(saved.model), KnownGraph(std::move(dataset)), 2);
  return make_report(folder, saved.config, predictor.model(), predictor, options);
}

TEST_F(ReportTest, HasEverySection) {
  const std::filesystem::path folder = run(test::small_options(2));
  const auto report = report_of(folder);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->name, "run");
  ASSERT_TRUE(report->ranks);
  ASSERT_TRUE(report->space);
  // A soft rule is drawn where it says something.
  if (report->network) {
    for (const auto& hop : report->network->hops) EXPECT_GT(hop.front().weight, 0.5);
  }
  EXPECT_EQ(report->trace.size(), 2U);
  EXPECT_FALSE(report->relations.empty());
  for (const Report::Relation& relation : report->relations) {
    EXPECT_LE(relation.rules.size(), ReportOptions().rules);
    for (const ReadRule& rule : relation.rules)
      EXPECT_EQ(rule.rule.target() % report->dataset->relations.size(), relation.id);
  }
  const std::string page = to_html(*report);
  for (const char* id : {"quality", "rules", "functions", "proof", "pictures", "reproduce"})
    EXPECT_NE(page.find(fmt::format("id=\"{}\"", id)), std::string::npos) << id;
  for (const char* text : {"optimistic", "pessimistic", "hits@10", "brother"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  EXPECT_NE(page.find(fmt::format("{:.3f}", report->ranks->full.both.realistic.mrr)),
            std::string::npos);
  EXPECT_NE(page.find(report->config.fingerprint), std::string::npos);
  for (const char* outside : {"src=", "<link", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  const Json json = to_json(*report);
  EXPECT_EQ(json["run"], "run");
  EXPECT_TRUE(json["rules"].contains("brother"));
}

TEST_F(ReportTest, StandsAModelOfChains) {
  TrainOptions options = test::small_options(1);
  options.functions.depth = 0;
  const auto report = report_of(run(options));
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_FALSE(report->space);
  EXPECT_NE(to_html(*report).find("plain chains"), std::string::npos);
}

TEST_F(ReportTest, ShowsNoMoreThanWasAskedFor) {
  ReportOptions options;
  options.rules = 1;
  options.relations = 2;
  options.diagrams = 0;
  const auto report = report_of(run(test::small_options(1)), options);
  ASSERT_TRUE(report) << to_string(report.error());
  ASSERT_EQ(report->relations.size(), 2U);
  EXPECT_GT(report->relations_left_out, 0U);
  for (const Report::Relation& relation : report->relations) EXPECT_EQ(relation.rules.size(), 1U);
  EXPECT_EQ(to_html(*report, options).find("Diagram of a rule"), std::string::npos);
}

}  // namespace
}  // namespace lerpp
