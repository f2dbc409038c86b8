// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/sweep/sweep.hpp>

#include "train/small_family.hpp"

namespace lerpp {
namespace {

const std::vector<std::string> quick = {"train.epochs=1", "functions.width=4", "rules.count=2",
                                        "rules.length=2"};

SweepAxis axis(const std::string& text) {
  const Result<SweepAxis> parsed = parse_axis(text);
  EXPECT_TRUE(parsed) << to_string(parsed.error());
  return parsed ? *parsed : SweepAxis();
}

SweepOptions one_thread(std::uint32_t seeds = 1) {
  SweepOptions options;
  options.threads = 1;
  options.seeds = seeds;
  return options;
}

/// How many runs of a sweep were trained rather than taken from elsewhere: their times differ.
std::size_t trainings(const Sweep& sweep) {
  std::set<double> times;
  for (const SweepRun& run : sweep.runs) times.insert(run.train_seconds);
  return times.size();
}

TEST(SweepAxis, KnowsShortNames) {
  EXPECT_EQ(axis("depth=0,1,2").name, "functions.depth");
  EXPECT_EQ(axis("rules=1,4").name, "rules.count");
  EXPECT_EQ(axis("train.rate=0.1,0.01").values, (std::vector<std::string>{"0.1", "0.01"}));
  for (const char* wrong : {"depth", "depth=", "=", "depth=,"})
    EXPECT_EQ(parse_axis(wrong).error().kind, ErrorKind::usage) << wrong;
}

TEST(Sweep, TrainsEveryPointWithEverySeedAndWithoutFunctions) {
  const Dataset dataset = test::family(60);
  std::size_t calls = 0;
  SweepHooks hooks;
  hooks.run = [&](const Sweep& so_far) -> Result<void> {
    EXPECT_EQ(so_far.runs.size(), ++calls);
    EXPECT_EQ(so_far.planned, 8U);
    return {};
  };
  const auto result = sweep(dataset, {axis("depth=1,2")}, one_thread(2), quick, {}, hooks);
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(calls, 8U);
  for (const SweepRun& run : result->runs) {
    EXPECT_GT(run.mrr, 0);
    EXPECT_LE(run.mrr_pessimistic, run.mrr);
    EXPECT_LE(run.mrr, run.mrr_optimistic);
  }
  // DRUM has no depth: trained once a seed, and the same at both points.
  EXPECT_EQ(trainings(*result), 6U);
  EXPECT_EQ(result->runs[2].mrr, result->runs[6].mrr);
  EXPECT_TRUE(result->runs[2].drum && result->runs[6].drum);
  EXPECT_LT(result->runs[2].parameters, result->runs[0].parameters);

  const std::string svg = to_svg(*result);
  EXPECT_NE(svg.find("no functions (DRUM)"), std::string::npos);
  EXPECT_NE(svg.find("<polygon"), std::string::npos) << "the spread over the seeds";
  EXPECT_NE(to_text(*result).find("8 of 8 runs"), std::string::npos);
}

TEST(Sweep, OfDepthNoneIsDrum) {
  const Dataset dataset = test::family(60);
  const auto result = sweep(dataset, {axis("depth=0")}, one_thread(), quick);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->runs.size(), 2U);
  EXPECT_EQ(result->runs[0].mrr, result->runs[1].mrr);
  EXPECT_EQ(trainings(*result), 1U);
}

TEST(Sweep, GoesOnWhereItWasStopped) {
  const Dataset dataset = test::family(60);
  const std::vector<SweepAxis> axes = {axis("width=2,3"), axis("length=1,2")};
  std::stop_source stop;
  Sweep kept;
  SweepHooks hooks;
  hooks.run = [&](const Sweep& so_far) -> Result<void> {
    kept = so_far;
    if (so_far.runs.size() == 3) stop.request_stop();
    return {};
  };
  Observer observer;
  observer.stop = stop.get_token();
  const auto stopped = sweep(dataset, axes, one_thread(), quick, observer, hooks);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  ASSERT_EQ(kept.runs.size(), 3U);

  const auto earlier = sweep_of(to_json(kept));
  ASSERT_TRUE(earlier) << to_string(earlier.error());
  SweepHooks again;
  again.earlier = &*earlier;
  const auto rest = sweep(dataset, axes, one_thread(), quick, {}, again);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->runs.size(), 8U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(rest->runs[i].train_seconds, kept.runs[i].train_seconds) << "not trained again";

  // Other settings are another sweep.
  std::vector<std::string> other = quick;
  other.emplace_back("train.rate=0.05");
  const auto fresh =
      sweep(dataset, {axis("width=2"), axis("length=1")}, one_thread(), other, {}, again);
  ASSERT_TRUE(fresh);
  EXPECT_NE(fresh->runs[0].train_seconds, kept.runs[0].train_seconds);
}

TEST(Sweep, RanksValidationFactsUnlessTestFactsAreAskedFor) {
  const Dataset dataset = test::family(60);
  const auto valid = sweep(dataset, {axis("depth=1")}, one_thread(), quick);
  SweepOptions options = one_thread();
  options.split = "test";
  const auto test = sweep(dataset, {axis("depth=1")}, options, quick);
  ASSERT_TRUE(valid && test);
  // The same training, ranked by hand.
  TrainOptions train_options = *preset("paper", dataset);
  for (const std::string& setting : quick) ASSERT_TRUE(set_option(train_options, setting));
  train_options.functions.depth = 1;
  train_options.train.threads = 1;
  const Trained trained = test::must_train(dataset, train_options);
  for (const auto& [split, found] : {std::pair{Split::valid, &*valid}, {Split::test, &*test}}) {
    RankingOptions ranking;
    ranking.split = split;
    const auto ranks = evaluate(trained.model, KnownGraph(dataset), ranking);
    ASSERT_TRUE(ranks);
    EXPECT_DOUBLE_EQ(found->runs[0].mrr, ranks->both.realistic.mrr) << name_of(split);
  }
  EXPECT_NE(valid->runs[0].mrr, test->runs[0].mrr);
  EXPECT_NE(to_svg(*valid).find("MRR on the validation facts"), std::string::npos);
  EXPECT_NE(to_svg(*test).find("MRR on the test facts"), std::string::npos);
  EXPECT_EQ(sweep_of(to_json(*test))->split, "test");

  // What was measured on other facts is not taken over.
  SweepHooks hooks;
  hooks.earlier = &*valid;
  const auto again = sweep(dataset, {axis("depth=1")}, options, quick, {}, hooks);
  ASSERT_TRUE(again);
  EXPECT_DOUBLE_EQ(again->runs[0].mrr, test->runs[0].mrr);
}

TEST(Sweep, NeedsFactsThatItHasNotLearnedFrom) {
  Dataset dataset = test::family(60);
  std::vector<std::string> on_valid = quick;
  on_valid.emplace_back("train.on_valid=true");
  const auto known = sweep(dataset, {axis("depth=1")}, one_thread(), on_valid);
  ASSERT_FALSE(known);
  EXPECT_EQ(to_string(known.error()),
            "the facts to rank are learned from (train.on_valid): rank the test facts with --split "
            "test");
  dataset[Split::valid].clear();
  const auto none = sweep(dataset, {axis("depth=1")}, one_thread(), quick);
  ASSERT_FALSE(none);
  EXPECT_NE(to_string(none.error()).find("there are no validation facts to rank"),
            std::string::npos);
}

TEST(Sweep, HasALogarithmicAxisWhereValuesAreGeometric) {
  for (const char* text : {"a=1,2,4", "a=1,2,5,10,20,50", "a=0.1,0.01,0.001", "a=5,10,20,40,80"})
    EXPECT_TRUE(is_geometric(axis(text).values)) << text;
  for (const char* text :
       {"a=1,2,3", "a=1,2,3,4,5", "a=0,1,2,4", "a=2,4", "a=10,20,30", "a=x,y,z", "a=100,101,103"})
    EXPECT_FALSE(is_geometric(axis(text).values)) << text;
  Sweep widths;
  widths.axes = {axis("width=1,10,100")};
  for (const std::string& value : widths.axes[0].values) {
    SweepRun run;
    run.values = {value};
    run.mrr = 0.5;
    widths.runs.push_back(run);
  }
  const std::string svg = to_svg(widths);
  const auto place = [&](const char* label) {
    const std::size_t end = svg.find(std::string(">") + label + "</text>");
    return std::stod(svg.substr(svg.rfind("x=\"", end) + 3));
  };
  EXPECT_NEAR(place("10") - place("1"), place("100") - place("10"), 0.2);
}

TEST(Sweep, FindsWrongOptionsBeforeItTrains) {
  const Dataset dataset = test::family(60);
  SweepHooks hooks;
  hooks.run = [](const Sweep&) -> Result<void> {
    ADD_FAILURE() << "trained";
    return {};
  };
  const auto unknown = sweep(dataset, {axis("rules.size=1")}, one_thread(), quick, {}, hooks);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().what.find("there is no option"), std::string::npos);
  EXPECT_FALSE(sweep(dataset, {axis("depth=1,99")}, one_thread(), quick, {}, hooks));
}

TEST(Sweep, ReadsNothingButASweep) {
  EXPECT_FALSE(sweep_of(Json::parse("{}")));
  EXPECT_FALSE(sweep_of(Json::parse("[]")));
  EXPECT_FALSE(sweep_of(Json::parse(R"({"dataset": 3})")));
}

TEST(Sweep, PlacesWordsInTheirOrder) {
  Sweep words;
  words.axes = {{"rules.readout", {"sum", "evidence"}}};
  SweepRun run;
  run.values = {"sum"};
  run.mrr = 0.5;
  words.runs.push_back(run);
  run.values = {"evidence"};
  words.runs.push_back(run);
  const std::string svg = to_svg(words);
  EXPECT_LT(svg.find(">sum</text>"), svg.find(">evidence</text>"));
}

}  // namespace
}  // namespace lerpp
