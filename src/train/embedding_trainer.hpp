#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/embedding_loss.hpp"

namespace lerpp {

/// Adagrad for the relations and entities of the embedding. All it keeps are sums of squares, which
/// lie where the parameters do: in the second moments of the rules' optimizer, where that touches
/// nothing else, and so in its checkpoints.
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

/// Teaches the embedding all facts of a graph in both directions, epoch by epoch. An epoch depends
/// on its number and on what it is given alone, so that training can go on from any of them.
class EmbeddingTrainer {
 public:
  EmbeddingTrainer(const Graph& graph, const ModelShape& shape, const EmbeddingSettings& settings,
                   Team& team);

  /// The mean loss of an epoch, with the rate times `share`.
  double learn_epoch(std::uint32_t epoch, double share, Parameters<float>& parameters,
                     Parameters<float>& squares);

 private:
  EmbeddingSettings settings_;
  Team& team_;
  EmbeddingLoss<float> loss_;
  std::vector<EmbeddingQuery> queries_;  ///< in the order of the graph
  Parameters<float> gradient_;           ///< zero between steps
};

}  // namespace lerpp
