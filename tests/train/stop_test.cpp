// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/stop_at.hpp"
#include "train/links.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

using test::finished;
using test::StopAt;

TEST(Stop, LinksOfFacts) {
  ScaleOptions scale;
  scale.facts = 300'000;
  scale.entities = 1'000;
  scale.relations = 6;
  const Dataset dataset = generate_scale(scale).value().dataset;
  const auto asked = [&](const Observer& observer) {
    std::size_t facts = 0;
    for_each_asked(dataset, 1, exactly(1), observer, [&](const Fact&) { ++facts; });
    return facts;
  };
  const std::size_t all = asked({});
  test::expect_stops([&](const Observer& observer) { return asked(observer) == all; });
}

/// All kinds of evidence, and what comes after the last epoch.
TrainOptions whole_options() {
  TrainOptions options = test::small_options(2);
  options.rules.operators = "positive";
  options.rules.readout = "evidence";
  options.evidence.prior = true;
  options.evidence.constants = true;
  options.evidence.paths = 20;
  options.train.softmax = "each";
  options.train.balance = true;
  options.train.match_links = true;
  options.train.threads = exactly(1);
  return options;
}

TEST(Stop, LearningWhereverItIsAsked) {
  const Dataset dataset = test::family(40);
  const TrainOptions options = whole_options();
  const auto run = [&](StopAt& stop) {
    return finished(test::train_with(dataset, options, stop.observer()));
  };
  StopAt nobody;
  ASSERT_TRUE(run(nobody));
  const std::size_t questions = nobody.asked();
  ASSERT_GT(questions, 100U);
  for (std::size_t question = 1; question <= questions; question += questions / 100) {
    StopAt stop(question);
    EXPECT_FALSE(run(stop)) << "stopped at question " << question << " of " << questions;
    EXPECT_LE(stop.asked(), question + questions / 10) << "it went on";
  }
}

TEST(Stop, AStepThatWasStoppedIsLearnedAgain) {
  const Dataset dataset = test::family(40);
  const TrainOptions options = whole_options();
  const std::vector<float> expected = test::values_of(test::must_train(dataset, options));
  std::optional<TrainState> state;
  TrainHooks hooks;
  hooks.checkpoint = [&](const TrainState& last) -> Result<void> {
    state = last;
    return {};
  };
  StopAt nobody;
  ASSERT_TRUE(finished(test::train_with(dataset, options, nobody.observer())));
  // A step asks many times: these fall into the midst of some.
  for (std::size_t tenth = 5; tenth < 10; ++tenth) {
    StopAt stop(nobody.asked() * tenth / 10);
    const bool whole = finished(test::train_with(dataset, options, stop.observer(), hooks, state));
    if (whole) break;
  }
  ASSERT_TRUE(state);
  const Result<Trained> resumed = test::train_with(dataset, options, {}, {}, state);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(test::values_of(*resumed), expected);
}

}  // namespace
}  // namespace lerpp
