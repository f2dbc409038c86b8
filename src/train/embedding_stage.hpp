// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <lerp/base/team.hpp>
#include <lerp/train/train.hpp>

#include "base/epoch_loop.hpp"
#include "embed/embedding_trainer.hpp"

namespace lerpp {

/// The second stage of training: learns an embedding beside rules that are done, epoch by epoch,
/// and keeps the one with which they rank the validation facts best.
class EmbeddingStage : public EpochLearner {
 public:
  struct Hooks {
    std::function<Result<void>(const EpochReport&)> epoch;
    std::function<Result<void>()> checkpoint;
  };

  /// All that is given must outlive it. The model has no embedding yet. Begins, or goes on where
  /// the state is.
  EmbeddingStage(const Dataset& dataset, const TrainOptions& options, const Observer& observer,
                 const Graph& graph, Team& team, const Model& rules, const Hooks& hooks,
                 std::optional<EmbeddingState>& state);

  /// The embedding with its mix.
  Result<Parameters<float>> run();

 private:
  void start_epoch(std::uint32_t epoch) override { trainer_.start_epoch(epoch); }
  std::uint64_t batches() const override { return trainer_.batches(); }
  std::uint64_t queries_before(std::uint64_t batch) const override {
    return trainer_.queries_before(batch);
  }
  Result<double> learn(std::uint64_t batch, bool& save) override;
  Result<bool> gather() override;
  Result<double> score() override;
  void keep_best() override { state_.best = state_.parameters; }
  Result<void> report(const EpochSummary& summary) override;
  Result<void> checkpoint() override { return hooks_.checkpoint(); }
  bool validates() const;
  /// How the rules rank the validation facts with an embedding beside them.
  Result<Protocols> rank_valid(const Parameters<float>& embedding) const;
  /// The mix that was chosen, or one alike for all targets where that ranks better: cross-entropy
  /// may choose what ranks worse than the rules alone.
  Result<Parameters<float>> best_ranked(Parameters<float> chosen) const;

  const Dataset& dataset_;
  const TrainOptions& options_;
  const Observer& observer_;
  Team& team_;
  const Hooks& hooks_;
  ModelShape shape_;
  EmbeddingState& state_;
  std::shared_ptr<const Scorer> rules_;  ///< none where nothing is validated
  EmbeddingTrainer trainer_;
  std::optional<Protocols> valid_;  ///< of the epoch that is being validated
};

}  // namespace lerpp
