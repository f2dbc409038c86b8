// SPDX-License-Identifier: Apache-2.0
#include "base/epoch_loop.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/describe.hpp"

namespace lerpp {
namespace {

using test::sentence;

/// All that the learner below learns is the order of what it was taught.
struct Lessons {
  std::vector<int> taught;
  std::vector<int> best;
};

struct Saved {
  EpochState state;
  Lessons lessons;
};

/// Three batches of two, two and one query.
class Pupil : public EpochLearner {
 public:
  Pupil(EpochState& state_, Lessons& lessons_, std::vector<double> scores_)
      : state(state_), lessons(lessons_), scores(std::move(scores_)) {}

  void start_epoch(std::uint32_t number) override { epoch = number; }
  std::uint64_t batches() const override { return 3; }
  std::uint64_t queries_before(std::uint64_t batch) const override {
    return std::min<std::uint64_t>(5, 2 * batch);
  }
  Result<double> learn(std::uint64_t batch, bool& save) override {
    save = save || save_always;
    lessons.taught.push_back(static_cast<int>(10 * epoch + batch));
    return batch == 2 && epoch == wrong_epoch ? std::numeric_limits<double>::infinity() : 4.0;
  }
  Result<bool> gather() override { return finite; }
  Result<double> score() override {
    if (failing) return fail_stopped("ranking");
    return scores[epoch];
  }
  void keep_best() override { lessons.best = lessons.taught; }
  Result<void> report(const EpochSummary& summary) override {
    reports.push_back(summary);
    return {};
  }
  Result<void> checkpoint() override {
    saved.push_back({state, lessons});
    return {};
  }
  bool has_enough() const override { return lessons.taught.size() >= most; }

  EpochState& state;
  Lessons& lessons;
  std::vector<double> scores;
  std::uint32_t epoch = 0;
  std::uint32_t wrong_epoch = 100;
  std::size_t most = 1000;
  bool save_always = false;
  bool finite = true;
  bool failing = false;
  std::vector<EpochSummary> reports;
  std::vector<Saved> saved;
};

EpochPlan plan(std::uint32_t epochs, std::uint32_t patience = 0) {
  EpochPlan plan;
  plan.epochs = epochs;
  plan.patience = patience;
  plan.checkpoint_seconds = 1e9;
  return plan;
}

TEST(EpochLoop, LearnsEveryBatchAndKeepsTheBestEpoch) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {0.3, 0.5, 0.5, 0.1});
  ASSERT_TRUE(learn_epochs(pupil, now.state, plan(4), {}));
  EXPECT_EQ(now.lessons.taught, (std::vector{0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32}));
  EXPECT_EQ(now.lessons.best, (std::vector{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(now.state.epoch, 4U);
  EXPECT_EQ(now.state.best_epoch, 2U);
  EXPECT_EQ(now.state.best_score, 0.5);
  ASSERT_EQ(pupil.reports.size(), 4U);
  EXPECT_EQ(pupil.reports[1].epoch, 2U);
  EXPECT_EQ(pupil.reports[1].epochs, 4U);
  EXPECT_EQ(pupil.reports[1].loss, 12.0 / 5);
  EXPECT_TRUE(pupil.reports[1].best);
  EXPECT_FALSE(pupil.reports[2].best);
  EXPECT_EQ(pupil.reports[3].seconds_left, 0);
  EXPECT_EQ(pupil.saved.size(), 4U) << "one after each epoch";
}

TEST(EpochLoop, AnyScoreBeatsNone) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {-7, -9, -8});
  ASSERT_TRUE(learn_epochs(pupil, now.state, plan(3), {}));
  EXPECT_EQ(now.state.best_epoch, 1U);
  EXPECT_EQ(now.state.best_score, -7);
}

TEST(EpochLoop, LosesPatience) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {0.3, 0.5, 0.4, 0.4, 0.9});
  ASSERT_TRUE(learn_epochs(pupil, now.state, plan(5, 2), {}));
  EXPECT_EQ(now.state.epoch, 4U);
  EXPECT_EQ(now.state.best_epoch, 2U);
  // One that is over stays over.
  ASSERT_TRUE(learn_epochs(pupil, now.state, plan(5, 2), {}));
  EXPECT_EQ(now.state.epoch, 4U);
}

TEST(EpochLoop, EndsWhereTheLearnerHasEnough) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {0.3, 0.5, 0.4});
  pupil.most = 4;
  ASSERT_TRUE(learn_epochs(pupil, now.state, plan(3), {}));
  EXPECT_EQ(now.lessons.taught, (std::vector{0, 1, 2, 10}));
  EXPECT_EQ(pupil.reports.back().loss, 2.0) << "of the two queries that were learned";
  EXPECT_EQ(pupil.reports.back().seconds_left, 0);
}

TEST(EpochLoop, GoesOnFromEveryCheckpoint) {
  const std::vector<double> scores = {0.3, 0.5, 0.4, 0.6, 0.2, 0.1};
  Saved whole;
  Pupil first(whole.state, whole.lessons, scores);
  first.save_always = true;
  ASSERT_TRUE(learn_epochs(first, whole.state, plan(6, 2), {}));
  ASSERT_EQ(first.saved.size(), 18U) << "two within each epoch and one after it";
  for (Saved saved : first.saved) {
    Pupil pupil(saved.state, saved.lessons, scores);
    ASSERT_TRUE(learn_epochs(pupil, saved.state, plan(6, 2), {}));
    EXPECT_EQ(saved.lessons.taught, whole.lessons.taught);
    EXPECT_EQ(saved.lessons.best, whole.lessons.best);
    EXPECT_EQ(saved.state.epoch, whole.state.epoch);
    EXPECT_EQ(saved.state.best_score, whole.state.best_score);
    for (const EpochSummary& report : pupil.reports) EXPECT_EQ(report.loss, 12.0 / 5);
  }
}

TEST(EpochLoop, AStopLeavesACheckpoint) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {0.3, 0.5});
  std::stop_source stop;
  Observer observer;
  observer.stop = stop.get_token();
  observer.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 5U);
    if (progress.stage == "epoch 2/2" && progress.done == 4) stop.request_stop();
  };
  const Result<void> stopped = learn_epochs(pupil, now.state, plan(2), observer);
  EXPECT_EQ(sentence(stopped), "stopped in epoch 2");
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  ASSERT_FALSE(pupil.saved.empty());
  EXPECT_EQ(pupil.saved.back().state.epoch, 1U);
  EXPECT_EQ(pupil.saved.back().state.batch, 2U);
  EXPECT_EQ(pupil.saved.back().lessons.taught, (std::vector{0, 1, 2, 10, 11}));
}

TEST(EpochLoop, AStopWhileValidatingLosesNothing) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {0.3});
  pupil.failing = true;
  EXPECT_EQ(learn_epochs(pupil, now.state, plan(1), {}).error().what, "stopped while ranking");
  ASSERT_EQ(pupil.saved.size(), 1U);
  EXPECT_EQ(now.state.batch, 3U);
  pupil.failing = false;
  ASSERT_TRUE(learn_epochs(pupil, now.state, plan(1), {}));
  EXPECT_EQ(now.lessons.taught, (std::vector{0, 1, 2}));
}

TEST(EpochLoop, TellsWhatIsNoNumberAndWhatToLower) {
  Saved now;
  Pupil pupil(now.state, now.lessons, {0.3, 0.5});
  pupil.wrong_epoch = 1;
  EpochPlan named = plan(2);
  named.stage = "embedding epoch";
  named.rate = "embedding.rate";
  EXPECT_EQ(sentence(learn_epochs(pupil, now.state, named, {})),
            "the loss is not a number (embedding epoch 2): lower embedding.rate");
  Saved other;
  Pupil broken(other.state, other.lessons, {0.3});
  broken.finite = false;
  EXPECT_EQ(sentence(learn_epochs(broken, other.state, plan(1), {})),
            "a parameter is not a number (epoch 1): lower train.rate");
  EXPECT_TRUE(broken.saved.empty()) << "what is broken is not kept";
}

TEST(EpochLoop, RefusesACheckpointBeyondTheEpoch) {
  Saved now;
  now.state.batch = 4;
  Pupil pupil(now.state, now.lessons, {0.3});
  EXPECT_EQ(sentence(learn_epochs(pupil, now.state, plan(1), {})),
            "the checkpoint is at step 4 of 3 (epoch 1): go on with the options that the run began "
            "with, or start a new one");
}

}  // namespace
}  // namespace lerpp
