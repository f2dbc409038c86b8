// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lerp/base/crew.hpp>
#include <lerp/base/epoch_state.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/model.hpp>
#include <lerp/train/options.hpp>

namespace lerpp {

/// What one epoch came to.
struct EpochReport {
  std::string stage = "rules";  ///< or "embedding", which is learned after them
  std::uint32_t epoch = 0;      ///< counted from 1
  std::uint32_t epochs = 0;
  double loss = 0;                 ///< mean over the queries
  std::optional<Protocols> valid;  ///< none where there is nothing to validate on
  bool best = false;               ///< whether this epoch's model is the best so far
  double rate = 0;                 ///< learning rate at its end
  double seconds = 0;              ///< learning and validating
  double seconds_left = 0;         ///< as the epochs so far went; 0 after the last
  double queries_per_second = 0;   ///< while learning
  std::uint64_t peak_memory_bytes = 0;
};
Json to_json(const EpochReport& report);
/// "epoch   3/10   loss 0.412   valid MRR 0.958 (optimistic 0.960) best   21,400 queries/s   1.6 s
/// 0:11 left   212 MiB", in one line
std::string to_text(const EpochReport& report);

/// Where the embedding is, once the rules are done. Its parameters have no rules.
struct EmbeddingState : EpochState {
  Parameters<float> parameters, best, squares;  ///< squares: of the optimiser
};

/// What targets learn together (train.share).
struct SharedState {
  explicit SharedState(const ModelShape& shape);

  std::vector<float> weights, first_moments, second_moments;
  std::vector<float> known;  ///< by target, the weights that its parameters have in them
  std::uint64_t steps = 0;
};

/// What the optimiser keeps between steps: moments beside the parameters, and how many steps each
/// target, and in the last place the functions, have made.
struct AdamState {
  AdamState() = default;
  explicit AdamState(const ModelShape& shape)
      : first(shape), second(shape), steps(shape.operators() + std::size_t{1}) {}

  Parameters<float> first, second;
  std::vector<std::uint64_t> steps;
};

/// All that training needs to go on exactly where it was.
struct TrainState : EpochState {
  Parameters<float> parameters, best;
  AdamState adam;
  std::optional<SharedState> shared;
  std::optional<EmbeddingState> embedding;
};

/// What a caller may want done meanwhile. A failure ends the training.
struct TrainHooks {
  std::function<Result<void>(const EpochReport&)> epoch = {};
  /// Called after every epoch, every train.checkpoint_seconds, and before an orderly stop.
  std::function<Result<void>(const TrainState&)> checkpoint = {};
  /// The processes that learn together, where there are several. Hooks are called by the first.
  Crew* crew = nullptr;
};

struct Trained {
  Model model;  ///< best on validation, or the last
  std::uint32_t epochs = 0;
  std::uint32_t best_epoch = 0;
  std::optional<double> valid_mrr;  ///< realistic, of the rules; none where nothing is validated
  std::uint32_t embedding_epochs = 0;
  std::uint32_t best_embedding_epoch = 0;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::string left_out = {};  ///< what there was no time for (train.seconds), in words
};

/// Learns. Goes on from `state` where one is given.
Result<Trained> train(const Dataset& dataset, const ResolvedOptions& options,
                      const Observer& observer = {}, const TrainHooks& hooks = {},
                      std::optional<TrainState> state = {});

}  // namespace lerpp
