// SPDX-License-Identifier: Apache-2.0
#include "base/epoch_loop.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>

#include "base/clock.hpp"

namespace lerpp {
namespace {

class EpochLoop {
 public:
  EpochLoop(EpochLearner& learner, EpochState& state, const EpochPlan& plan,
            const Observer& observer)
      : learner_(learner), state_(state), plan_(plan), observer_(observer) {}

  Result<void> run() {
    while (goes_on()) {
      LERP_CHECK(learn_epoch());
      LERP_CHECK(finish_epoch());
    }
    return {};
  }

 private:
  bool goes_on() const {
    const bool patient =
        plan_.patience == 0 || state_.epoch < std::uint64_t{state_.best_epoch} + plan_.patience;
    return state_.epoch < plan_.epochs && patient && !learner_.has_enough();
  }

  /// "embedding epoch 3"
  std::string place() const { return fmt::format("{} {}", plan_.stage, state_.epoch + 1); }

  void count_time(double seconds) const {
    state_.epoch_seconds += seconds;
    state_.seconds += seconds;
  }

  Result<void> learn_epoch() {
    learner_.start_epoch(state_.epoch);
    const std::uint64_t batches = learner_.batches();
    if (state_.batch > batches) {
      return fail(fmt::format("the checkpoint is at step {} of {}", state_.batch, batches), place(),
                  "go on with the options that the run began with, or start a new one");
    }
    const Clock::time_point start = Clock::now();
    Clock::time_point since = start;
    Clock::time_point saved = start;
    const std::uint64_t before = learner_.queries_before(state_.batch);
    while (state_.batch < batches && !learner_.has_enough()) {
      bool save = seconds_since(saved) >= plan_.checkpoint_seconds;
      if (const Result<void> learned = learn_batch(save); !learned) {
        // A batch that was stopped on its way has not been.
        return learned.error().kind == ErrorKind::interrupted ? stop() : learned;
      }
      count_time(seconds_since(since));
      since = Clock::now();
      if (learner_.should_stop(observer_)) return stop();
      if (save && state_.batch < batches) {
        LERP_CHECK(learner_.checkpoint());
        saved = Clock::now();
      }
    }
    queries_per_second_ = static_cast<double>(learner_.queries_before(state_.batch) - before) /
                          std::max(1e-9, seconds_since(start));
    return {};
  }

  Result<void> stop() {
    LERP_CHECK(learner_.checkpoint());
    return fail("stopped in " + place(), "", "", ErrorKind::interrupted);
  }

  Result<void> learn_batch(bool& save) {
    LERP_TRY(loss, learner_.learn(state_.batch, save));
    if (!std::isfinite(loss))
      return fail("the loss is not a number", place(), "lower " + plan_.rate);
    state_.loss += loss;
    ++state_.batch;
    if (observer_.progress) {
      observer_.report({fmt::format("{}/{}", place(), plan_.epochs),
                        learner_.queries_before(state_.batch),
                        learner_.queries_before(learner_.batches()), plan_.unit,
                        fmt::format("loss {:.3f}   {} MiB", mean_loss(), peak_memory() >> 20U)});
    }
    return {};
  }

  double mean_loss() const {
    const std::uint64_t learned = learner_.queries_before(state_.batch);
    return state_.loss / static_cast<double>(std::max<std::uint64_t>(1, learned));
  }

  Result<void> finish_epoch() {
    const Clock::time_point start = Clock::now();
    LERP_TRY(finite, learner_.gather());
    if (!finite) return fail("a parameter is not a number", place(), "lower " + plan_.rate);
    const Result<double> score = learner_.score();
    if (!score) {
      // Nothing of the epoch is lost: its last step stands in the checkpoint, and validating comes
      // again.
      LERP_CHECK(learner_.checkpoint());
      return tl::unexpected<Error>(score.error());
    }
    EpochSummary summary{state_.epoch + 1, plan_.epochs, mean_loss()};
    summary.best = state_.best_epoch == 0 || *score > state_.best_score;
    if (summary.best) {
      state_.best_epoch = summary.epoch;
      state_.best_score = *score;
      learner_.keep_best();
    }
    count_time(seconds_since(start));
    summary.seconds = state_.epoch_seconds;
    summary.queries_per_second = queries_per_second_;
    ++state_.epoch;
    state_.batch = 0;
    state_.loss = 0;
    state_.epoch_seconds = 0;
    if (goes_on())
      summary.seconds_left = state_.seconds / state_.epoch * (plan_.epochs - state_.epoch);
    LERP_CHECK(learner_.report(summary));
    return learner_.checkpoint();
  }

  EpochLearner& learner_;
  EpochState& state_;
  const EpochPlan& plan_;
  const Observer& observer_;
  double queries_per_second_ = 0;
};

}  // namespace

Result<void> learn_epochs(EpochLearner& learner, EpochState& state, const EpochPlan& plan,
                          const Observer& observer) {
  return EpochLoop(learner, state, plan, observer).run();
}

}  // namespace lerpp
