// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/eval/ranking.hpp>

namespace lerpp {
namespace {

RankingReport some_report(std::size_t relations) {
  RankingReport report;
  report.dataset = "toy";
  report.seconds = 0.5;
  report.both.queries = 12345;
  report.both.tied = 0.25;
  report.both.realistic.mrr = 0.5;
  report.both.optimistic.mrr = 0.75;
  for (std::size_t i = 0; i < relations; ++i) {
    RankingReport::Relation relation;
    relation.name = i == 0
                        ? "/film/film/distributors./film/film_film_distributor_relationship/größe"
                        : fmt::format("r{}", i);
    relation.both.queries = 100 - i;
    relation.tail.realistic.mrr = 0.125;
    report.relations.push_back(relation);
  }
  return report;
}

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  return names;
}

TEST(RankingReport, HasTheDocumentedKeys) {
  using Names = std::vector<std::string>;
  const Json json = to_json(some_report(2));
  EXPECT_EQ(keys(json), (Names{"dataset", "split", "queries", "tied", "seconds", "both", "head",
                               "tail", "relations"}));
  EXPECT_EQ(json["split"], "test");
  EXPECT_EQ(json["queries"], 12345);
  EXPECT_EQ(json["tied"], 0.25);
  for (const char* direction : {"both", "head", "tail"}) {
    for (const char* protocol : {"optimistic", "realistic", "pessimistic"}) {
      EXPECT_EQ(keys(json[direction][protocol]),
                (Names{"mrr", "hits_at_1", "hits_at_3", "hits_at_10", "mean_rank"}));
    }
  }
  EXPECT_EQ(json["both"]["realistic"]["mrr"], 0.5);
  EXPECT_EQ(keys(json["relations"]["r1"]),
            (Names{"queries", "tied", "optimistic", "realistic", "pessimistic", "head", "tail"}));
  EXPECT_EQ(json["relations"]["r1"]["tail"]["realistic"]["mrr"], 0.125);
  EXPECT_EQ(json.dump().find("null"), std::string::npos);
}

TEST(RankingReport, IsAnAlignedTable) {
  const std::string text = to_text(some_report(20));
  EXPECT_NE(text.find("toy test: 12,345 queries, 25.0 %"), std::string::npos) << text;
  EXPECT_NE(text.find("… and 8 more"), std::string::npos) << text;
  EXPECT_LT(text.find("realistic"), text.find("optimistic")) << text;
  // The rows of the relations are equally wide, counted in characters.
  std::istringstream lines(text.substr(text.find("\nrelation") + 1));
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line) && !line.starts_with("… and");) {
    const auto length =
        static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        }));
    if (width == 0) width = length;
    EXPECT_EQ(length, width) << text;
    EXPECT_LE(length, 100U);
  }
}

}  // namespace
}  // namespace lerpp
