// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <lerp/eval/baseline.hpp>

#include "support/describe.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

using test::family;
using test::must_train;
using test::sentence;
using test::small_options;
using test::values_of;

TEST(Train, LearnsTheFamilyBetterThanTheInverseBaseline) {
  const Dataset dataset = family(300);
  TrainOptions options = small_options(12);
  options.functions.width = 16;
  options.rules.count = 8;
  options.rules.length = 3;
  options.train.batch = 16;
  const Trained trained = must_train(dataset, options);
  const Result<RankingReport> learned = evaluate(trained.model, KnownGraph(dataset));
  ASSERT_TRUE(learned);
  const Graph known = dataset.known_graph();
  const Result<RankingReport> baseline =
      rank(*make_baseline(Baseline::inverse, known), dataset, {});
  ASSERT_TRUE(baseline);
  EXPECT_GT(learned->both.realistic.mrr, baseline->both.realistic.mrr + 0.1);
  EXPECT_GT(learned->both.realistic.mrr, 0.7);
  EXPECT_EQ(trained.epochs, 12U);
  EXPECT_EQ(trained.model.relations, test::names_of(dataset.relations));
}

/// Rules that add evidence, with all of its kinds.
TrainOptions options_with_terms(std::uint32_t epochs) {
  TrainOptions options = small_options(epochs);
  options.rules.operators = "positive";
  options.rules.readout = "evidence";
  options.rules.frontier = 40;
  options.evidence.prior = true;
  options.evidence.paths = 20;
  options.evidence.constants = true;
  options.train.thin = 0.01;
  options.train.softmax = "each";
  options.train.share = true;
  return options;
}

/// Learns on one thread, and then on more, with as many lanes: there must be no difference.
void compare_threads(const Dataset& dataset, TrainOptions options) {
  std::set<std::vector<float>> seen;
  for (const std::uint32_t lanes : {1U, 7U, 16U}) {
    options.train.lanes = lanes;
    options.train.threads = exactly(1);
    const std::vector<float> alone = values_of(must_train(dataset, options));
    EXPECT_TRUE(seen.insert(alone).second) << lanes << " lanes are as fewer";
    for (const unsigned threads : {1U, 2U, 5U}) {
      options.train.threads = exactly(threads);
      EXPECT_TRUE(values_of(must_train(dataset, options)) == alone)
          << lanes << " lanes, " << threads << " threads";
    }
  }
}

TEST(Train, TheSameSeedAndLanesGiveTheSameModelWhateverTheThreads) {
  const Dataset dataset = family(100);
  compare_threads(dataset, small_options(1));
  TrainOptions embedded = options_with_terms(1);
  embedded.embedding.rank = 8;
  embedded.embedding.epochs = 1;
  compare_threads(dataset, embedded);
}

TEST(Train, OtherSeedsGiveOtherModels) {
  const Dataset dataset = family(100);
  TrainOptions other = small_options(1);
  other.train.seed = 2;
  EXPECT_NE(values_of(must_train(dataset, other)),
            values_of(must_train(dataset, small_options(1))));
}

TEST(Train, EveryOptionChangesWhatIsLearned) {
  const Dataset dataset = family(100);
  std::map<std::vector<float>, std::string> seen;
  const auto learn_with = [&](const std::string& name, const auto& change) {
    TrainOptions options = small_options(2);
    change(options);
    const std::vector<float> values = values_of(must_train(dataset, options));
    for (const float value : values) ASSERT_TRUE(std::isfinite(value)) << name;
    const auto [place, fresh] = seen.emplace(values, name);
    EXPECT_TRUE(fresh) << name << " is the same as " << place->second;
  };
  learn_with("nothing", [](TrainOptions&) {});
  learn_with("linear", [](TrainOptions& o) { o.train.schedule = "linear"; });
  learn_with("cosine", [](TrainOptions& o) { o.train.schedule = "cosine"; });
  learn_with("decay", [](TrainOptions& o) { o.train.weight_decay = 0.1; });
  learn_with("rate", [](TrainOptions& o) { o.train.rate = 0.01; });
  learn_with("batch", [](TrainOptions& o) { o.train.batch = 1; });
  learn_with("lanes", [](TrainOptions& o) { o.train.lanes = 2; });
  learn_with("steps", [](TrainOptions& o) {
    o.train.batch = 1;
    o.train.steps = 2;
  });
  learn_with("queries", [](TrainOptions& o) { o.train.queries = 20; });
  learn_with("on_valid", [](TrainOptions& o) { o.train.on_valid = true; });
  learn_with("depth", [](TrainOptions& o) { o.functions.depth = 0; });
  learn_with("frontier", [](TrainOptions& o) { o.train.frontier = 3; });
  const auto with_terms = [](TrainOptions& o) {
    o.rules.readout = "evidence";
    o.evidence.paths = 20;
    o.evidence.constants = true;
  };
  learn_with("terms", with_terms);
  learn_with("no direct paths", [&](TrainOptions& o) {
    with_terms(o);
    o.evidence.direct = false;
  });
  learn_with("share", [&](TrainOptions& o) {
    with_terms(o);
    o.train.share = true;
  });
}

TEST(Train, AFrontierOfLearningIsNotOneOfTheModel) {
  TrainOptions options = small_options(1);
  options.rules.frontier = 40;
  options.train.frontier = 3;
  EXPECT_EQ(must_train(family(60), options).model.shape().frontier, 40U);
}

TEST(Train, SchedulesFallToATenth) {
  const Dataset dataset = family(60);
  for (const std::string schedule : {"constant", "linear", "cosine"}) {
    TrainOptions options = small_options(4);
    options.train.schedule = schedule;
    std::vector<double> rates;
    TrainHooks hooks;
    hooks.epoch = [&](const EpochReport& report) -> Result<void> {
      rates.push_back(report.rate);
      return {};
    };
    must_train(dataset, options, hooks);
    ASSERT_EQ(rates.size(), 4U);
    EXPECT_TRUE(std::is_sorted(rates.rbegin(), rates.rend()));
    EXPECT_NEAR(rates[1], schedule == "constant" ? 0.1 : 0.055, 1e-12);
    EXPECT_NEAR(rates[3], schedule == "constant" ? 0.1 : 0.01, 1e-12);
  }
}

TEST(Train, EpochsTellTheTimeThatIsLeft) {
  const Dataset dataset = family(60);
  double seconds = 0;
  std::vector<EpochReport> reports;
  TrainHooks hooks;
  hooks.epoch = [&](const EpochReport& report) -> Result<void> {
    reports.push_back(report);
    seconds += report.seconds;
    const double left = seconds / report.epoch * (3 - report.epoch);
    EXPECT_NEAR(report.seconds_left, left, 1e-9);
    return {};
  };
  must_train(dataset, small_options(3), hooks);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports.back().seconds_left, 0);
  EpochReport report;
  report.epoch = 3;
  report.epochs = 10;
  report.loss = 0.4124;
  report.seconds = 1.57;
  report.seconds_left = 10.99;
  report.queries_per_second = 21'400;
  report.peak_memory_bytes = 212 << 20;
  EXPECT_EQ(to_text(report),
            "epoch   3/10   loss 0.412   21,400 queries/s   1.6 s   0:11 left   212 MiB");
  report.seconds_left = 0;
  EXPECT_EQ(to_text(report), "epoch   3/10   loss 0.412   21,400 queries/s   1.6 s   212 MiB");
}

TEST(Train, PatienceStopsEarlyAndKeepsTheBest) {
  const Dataset dataset = family(60);
  TrainOptions options = small_options(50);
  options.train.patience = 2;
  std::vector<EpochReport> reports;
  std::vector<float> best;
  TrainHooks hooks;
  hooks.epoch = [&](const EpochReport& report) -> Result<void> {
    reports.push_back(report);
    return {};
  };
  hooks.checkpoint = [&](const TrainState& state) -> Result<void> {
    if (state.batch == 0 && reports.back().best) best = values_of(state.parameters);
    return {};
  };
  const Trained trained = must_train(dataset, options, hooks);
  ASSERT_LT(trained.epochs, 50U);
  EXPECT_EQ(trained.epochs, trained.best_epoch + 2);
  EXPECT_EQ(reports.size(), trained.epochs);
  EXPECT_EQ(values_of(trained), best);
  double most = 0;
  for (const EpochReport& report : reports) most = std::max(most, report.valid->realistic.mrr);
  EXPECT_EQ(reports[trained.best_epoch - 1].valid->realistic.mrr, most);
}

TEST(Train, WithoutValidationTheLastEpochCounts) {
  Dataset dataset = family(60);
  TrainOptions options = small_options(3);
  options.train.patience = 1;
  options.train.on_valid = true;
  EXPECT_EQ(must_train(dataset, options).best_epoch, 3U);
  options.train.on_valid = false;
  dataset[Split::valid].clear();
  TrainHooks hooks;
  hooks.epoch = [](const EpochReport& report) -> Result<void> {
    EXPECT_FALSE(report.valid);
    EXPECT_TRUE(report.best);
    return {};
  };
  EXPECT_EQ(must_train(dataset, options, hooks).best_epoch, 3U);
}

TEST(Train, WhatIsNoNumberStopsWithItsPlace) {
  const Dataset dataset = family(60);
  TrainOptions options = small_options(3);
  options.rules.operators = "positive";
  options.train.rate = 100;
  const std::string said = sentence(test::train_with(dataset, options));
  EXPECT_NE(said.find(" is not a number (epoch "), std::string::npos) << said;
  EXPECT_NE(said.find("lower train.rate"), std::string::npos) << said;
  // Which query it was: "target mother(h, ?)".
  EXPECT_NE(said.find(", target "), std::string::npos) << said;
}

TEST(Train, NothingToLearnFromIsAnError) {
  Dataset dataset = family(60);
  dataset[Split::train].clear();
  EXPECT_NE(
      sentence(test::train_with(dataset, small_options())).find("there are no training facts"),
      std::string::npos);
}

TEST(Train, AFailedHookEndsIt) {
  const Dataset dataset = family(60);
  TrainHooks hooks;
  int calls = 0;
  hooks.checkpoint = [&](const TrainState&) -> Result<void> {
    ++calls;
    return fail("the disk is full", "", "free some space");
  };
  EXPECT_EQ(sentence(test::train_with(dataset, small_options(), {}, hooks)),
            "the disk is full: free some space");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace lerpp
