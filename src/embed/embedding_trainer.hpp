// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "embed/embedding_loss.hpp"
#include "embed/shuffled_queries.hpp"

namespace lerpp {

/// Adagrad for the relations and entities of the embedding. All it keeps are sums of squares, which
/// lie where the parameters do.
class EmbeddingOptimizer {
 public:
  EmbeddingOptimizer(Parameters<float>& squares, Team& team) : squares_(squares), team_(team) {}

  /// Moves the parameters against the gradient, and clears it. The softmax moves every entity a
  /// little, so a step is one over the whole table: batches of a large graph have to be worth it.
  void step(double rate, Parameters<float>& parameters, Parameters<float>& gradient);

 private:
  Parameters<float>& squares_;
  Team& team_;
};

/// The defaults were chosen on the validation facts of Kinship and UMLS, at rank 512. There 6 to 11
/// epochs were best, and more were worse.
struct EmbeddingSettings {
  double rate = 0.02;
  double n3 = 0.05;
  std::uint32_t batch = 16;
  std::uint64_t seed = 1;
};

/// Teaches the embedding all facts of a graph in both directions, epoch by epoch. A batch depends
/// on the epoch, its number and what it is given alone, so that training can go on from anywhere.
class EmbeddingTrainer {
 public:
  EmbeddingTrainer(const Graph& graph, const ModelShape& shape, const EmbeddingSettings& settings,
                   Team& team);

  void start_epoch(std::uint32_t epoch) { queries_.start_epoch(epoch); }
  std::size_t batches() const { return queries_.batches(); }
  std::size_t queries_before(std::size_t batch) const { return queries_.queries_before(batch); }
  /// The loss of a batch of the epoch, summed over its queries.
  double learn(std::size_t batch, Parameters<float>& parameters, Parameters<float>& squares);

 private:
  EmbeddingSettings settings_;
  Team& team_;
  EmbeddingLoss<float> loss_;
  ShuffledQueries queries_;
  Parameters<float> gradient_;  ///< zero between steps
};

}  // namespace lerpp
