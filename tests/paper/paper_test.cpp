// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/paper/paper.hpp>

#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// A folder of datasets in which there is a small family alone.
fs::path small_root(const test::TemporaryFolder& folder) {
  FamilyOptions options;
  options.people = 60;
  const fs::path root = folder / "data";
  fs::create_directories(root);
  EXPECT_TRUE(write_generated(generate_family(options), root / "family"));
  return root;
}

PaperOptions quick(const char* only) {
  PaperOptions options;
  options.only = only;
  options.quick = true;
  options.threads = 2;
  return options;
}

/// Without what differs from one run to the next.
Json without_times(Json rows) {
  for (Json& row : rows) {
    for (const char* key : {"train_seconds", "rules_per_second", "peak_memory_bytes"})
      row.erase(key);
  }
  return rows;
}

TEST(Paper, MakesTheTablesOfWhatIsThere) {
  const test::TemporaryFolder folder;
  const fs::path root = small_root(folder);
  const Result<Paper> paper =
      make_paper(root, folder / "out", quick("table1,table2,table3,table4,figure3,figure4a"));
  ASSERT_TRUE(paper) << to_string(paper.error());
  ASSERT_EQ(paper->parts.size(), 6U);
  // Three methods, and the trivial one.
  ASSERT_EQ(paper->parts[0].rows.size(), 4U);
  EXPECT_TRUE(paper->parts[1].rows.empty());
  const Json& row = paper->parts[0].rows.front();
  EXPECT_EQ(row.at("item"), "table1");
  EXPECT_EQ(row.at("method"), "LERP");
  EXPECT_EQ(row.at("setting"), "train");
  EXPECT_EQ(row.at("seeds"), 1);
  EXPECT_EQ(row.at("published_mrr"), .970);
  EXPECT_EQ(row.at("published_hits_at_1"), .947);
  for (const char* key :
       {"mrr_realistic", "mrr_optimistic", "hits_at_1", "hits_at_3", "hits_at_10", "parameters",
        "parameters_functions", "parameters_rules", "rules", "rules_per_second", "train_seconds"}) {
    EXPECT_GT(row.at(key).get<double>(), 0) << key;
  }
  EXPECT_LE(row.at("mrr_realistic").get<double>(), row.at("mrr_optimistic").get<double>());
  EXPECT_EQ(row.at("parameters").get<double>(), row.at("parameters_functions").get<double>() +
                                                    row.at("parameters_rules").get<double>());
  const Json& drum = paper->parts[0].rows[1];
  EXPECT_EQ(drum.at("method"), "DRUM");
  EXPECT_EQ(drum.at("parameters_functions"), 0);
  EXPECT_EQ(paper->left_out.size(), 4U);   // wn18, wn18rr, kinship, umls
  EXPECT_EQ(paper->not_asked.size(), 5U);  // figures 4b, 4c and 5, cost, events
  EXPECT_NE(to_markdown(*paper).find("Not made here: Figure 4b"), std::string::npos);
  EXPECT_EQ(Json::parse(read_file(folder / "out/paper.json")->view()), to_json(*paper));
  const std::string html(read_file(folder / "out/paper.html")->view());
  for (const PaperPart& part : paper->parts) {
    EXPECT_NE(html.find("id=\"" + part.item + "\""), std::string::npos) << part.item;
    EXPECT_FALSE(part.verdict.empty()) << part.item;
    for (const PaperPart::Picture& picture : part.pictures)
      EXPECT_TRUE(fs::exists(folder / "out" / (picture.name + ".svg"))) << picture.name;
  }
}

TEST(Paper, GoesOnWhereItWasInterrupted) {
  const test::TemporaryFolder folder;
  const fs::path root = small_root(folder);
  const Result<Paper> whole = make_paper(root, folder / "whole", quick("table1"));
  ASSERT_TRUE(whole) << to_string(whole.error());
  std::stop_source stop;
  Observer observer;
  observer.stop = stop.get_token();
  int made = 0;
  const auto stop_after_two = [&](const std::string& /*line*/) {
    if (++made == 2) stop.request_stop();
  };
  const Result<Paper> half =
      make_paper(root, folder / "half", quick("table1"), observer, stop_after_two);
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().kind, ErrorKind::interrupted);
  EXPECT_FALSE(fs::exists(folder / "half/paper.json"));
  const auto count = [&](const std::string& /*line*/) { ++made; };
  const Result<Paper> rest = make_paper(root, folder / "half", quick("table1"), {}, count);
  ASSERT_TRUE(rest) << to_string(rest.error());
  EXPECT_EQ(made, 4);  // none twice
  EXPECT_EQ(without_times(to_json(*rest)), without_times(to_json(*whole)));
}

TEST(Paper, SaysWhatIsWrong) {
  const test::TemporaryFolder folder;
  const Result<Paper> part = make_paper(folder / ".", folder / "out", quick("table9"));
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().what, "there is no part 'table9'");
  EXPECT_EQ(part.error().kind, ErrorKind::usage);
  const Result<Paper> root = make_paper(folder / "nowhere", folder / "out", quick("table1"));
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().what, "there is no such folder");
}

}  // namespace
}  // namespace lerpp
