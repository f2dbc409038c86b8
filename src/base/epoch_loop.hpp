// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <lerp/base/epoch_state.hpp>
#include <lerp/base/error.hpp>
#include <lerp/base/observer.hpp>

namespace lerpp {

/// What an epoch came to, whatever is learned.
struct EpochSummary {
  std::uint32_t epoch = 0;  ///< counted from 1
  std::uint32_t epochs = 0;
  double loss = 0;  ///< mean over the queries
  bool best = false;
  double seconds = 0;
  double seconds_left = 0;  ///< as the epochs so far went; 0 after the last
  double queries_per_second = 0;
};

/// What is learned epoch by epoch, as the loop sees it. Its parameters and the state of the loop
/// are all that a checkpoint needs: a batch depends on them, the epoch and its number alone.
class EpochLearner {
 public:
  virtual ~EpochLearner() = default;

  /// Counted from 0; before any batch of it.
  virtual void start_epoch(std::uint32_t epoch) = 0;
  virtual std::uint64_t batches() const = 0;
  virtual std::uint64_t queries_before(std::uint64_t batch) const = 0;
  /// Learns a batch of the epoch; the loss summed over its queries. `save`: whether a checkpoint is
  /// due, on which several processes agree here.
  virtual Result<double> learn(std::uint64_t batch, bool& save) = 0;
  /// After an epoch's batches, makes the parameters known to all processes; whether they are
  /// numbers.
  virtual Result<bool> gather() = 0;
  /// How good the parameters are on validation: the higher the better. Where there is nothing to
  /// validate on, the epoch itself, since the last one counts as the best then.
  virtual Result<double> score() = 0;
  virtual void keep_best() = 0;
  virtual Result<void> report(const EpochSummary& summary) = 0;
  virtual Result<void> checkpoint() = 0;

  virtual bool should_stop(const Observer& observer) const { return observer.stopped(); }
  /// Whether to learn no more, in this epoch and after it.
  virtual bool has_enough() const { return false; }
};

/// How long to go on, and how to speak of it.
struct EpochPlan {
  std::uint32_t epochs = 1;
  std::uint32_t patience = 0;       ///< epochs without a better score before the end; 0 is never
  double checkpoint_seconds = 30;   ///< between two checkpoints of an epoch
  std::string stage = "epoch";      ///< or "embedding epoch"
  std::string unit = "queries";     ///< what a batch is made of
  std::string rate = "train.rate";  ///< the option to lower where numbers grow beyond all bounds
};

/// Learns from where the state is to the end. There is a checkpoint after every epoch, every
/// checkpoint_seconds, and before an orderly stop.
Result<void> learn_epochs(EpochLearner& learner, EpochState& state, const EpochPlan& plan,
                          const Observer& observer);

}  // namespace lerpp
