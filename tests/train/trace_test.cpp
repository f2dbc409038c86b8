// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/train/trace.hpp>

#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

EpochReport epoch(std::uint32_t number, const std::string& stage = "rules") {
  EpochReport report;
  report.stage = stage;
  report.epoch = number;
  report.epochs = 3;
  report.loss = 1.0 / number;
  Protocols& valid = report.valid.emplace();
  valid.realistic.mrr = 0.2 * number;
  valid.optimistic.mrr = 0.2 * number + 0.1;
  valid.pessimistic.mrr = 0.2 * number - 0.1;
  valid.realistic.hits_at_10 = 0.5;
  report.best = number == 2;
  report.seconds = 1.5;
  return report;
}

TEST(Trace, ReadsBackWhatARunWrites) {
  const test::TemporaryFolder folder;
  {
    std::ofstream file(folder.path() / "trace.jsonl");
    for (const std::uint32_t number : {1U, 2U, 3U}) file << to_json(epoch(number)).dump() << "\n";
    file << R"({"stage": "rules", "epo)";  // killed while writing
  }
  const auto trace = load_trace(folder.path());
  ASSERT_TRUE(trace) << to_string(trace.error());
  ASSERT_EQ(trace->size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(to_json((*trace)[i]), to_json(epoch(i + 1)));
}

TEST(Trace, TellsADamagedLine) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "trace.jsonl") << to_json(epoch(1)).dump() << "\n[3]\n";
  const auto trace = load_trace(folder.path());
  ASSERT_FALSE(trace);
  EXPECT_NE(to_string(trace.error()).find("trace.jsonl, line 2"), std::string::npos);
  EXPECT_FALSE(load_trace(folder.path() / "nowhere"));
}

TEST(Trace, DrawsAStageEach) {
  const std::string svg =
      curves_svg({epoch(1), epoch(2), epoch(1, "embedding"), epoch(2, "embedding")});
  EXPECT_NE(svg.find(">rules</text>"), std::string::npos);
  EXPECT_NE(svg.find(">with embedding</text>"), std::string::npos);
  EXPECT_NE(svg.find("MRR on the validation facts"), std::string::npos);
  EXPECT_EQ(svg.find(">1.5</text>"), std::string::npos) << "epochs are whole";
}

TEST(Trace, DrawsTheLossAloneWhereNothingWasValidated) {
  EpochReport unvalidated = epoch(1);
  unvalidated.valid.reset();
  const std::string svg = curves_svg({unvalidated});
  EXPECT_EQ(svg.find("MRR"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace lerpp
