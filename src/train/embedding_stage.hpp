#pragma once

#include <functional>
#include <memory>

#include <lerp/base/team.hpp>
#include <lerp/train/train.hpp>

#include "embed/embedding_trainer.hpp"

namespace lerpp {

/// The second stage of training: learns an embedding beside rules that are done, epoch by epoch,
/// and keeps the one with which they rank the validation facts best.
class EmbeddingStage {
 public:
  struct Hooks {
    std::function<Result<void>(const EpochReport&)> epoch;
    std::function<Result<void>()> checkpoint;  ///< of the state that run() was given
  };

  /// All that is given must outlive it. The model has no embedding yet.
  EmbeddingStage(const Dataset& dataset, const TrainOptions& options, const Observer& observer,
                 const Graph& graph, Team& team, const Model& rules);

  /// Begins, or goes on where the state is. The embedding comes with its mix.
  Result<Parameters<float>> run(TrainState& state, const Hooks& hooks);

 private:
  Result<void> learn_epoch(TrainState& all, const Hooks& hooks);
  Result<void> finish_epoch(TrainState& all, const Hooks& hooks);
  bool validates() const;

  const Dataset& dataset_;
  const TrainOptions& options_;
  const Observer& observer_;
  const Graph& graph_;
  Team& team_;
  ModelShape shape_;
  std::shared_ptr<const Scorer> rules_;  ///< none where nothing is validated
  EmbeddingTrainer trainer_;
  double learned_per_second_ = 0;
};

}  // namespace lerpp
