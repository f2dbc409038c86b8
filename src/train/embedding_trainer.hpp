#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/embedding_loss.hpp"

namespace lerpp {

/// Adam for the relations and entities of the embedding. Its moments lie where the parameters do,
/// in blocks that it can share with the optimizer of the rules, and it keeps nothing else: a
/// checkpoint of the blocks is one of it. The softmax moves every entity a little, so each step is
/// one over the whole table; batches of a large graph have to be worth that.
class EmbeddingOptimizer {
 public:
  EmbeddingOptimizer(Parameters<float>& first, Parameters<float>& second, Team& team)
      : first_(first), second_(second), team_(team) {}

  /// Moves the parameters against the gradient, and clears it. Steps are counted from 1.
  void step(double rate, std::uint64_t number, Parameters<float>& parameters,
            Parameters<float>& gradient);

 private:
  Parameters<float>& first_;
  Parameters<float>& second_;
  Team& team_;
};

struct EmbeddingSettings {
  double rate = 0.02;
  double n3 = 0.01;
  std::uint32_t batch = 64;  ///< distinct queries; each brings all its answers
  std::uint64_t seed = 1;
};

/// Teaches the embedding all that the graph knows, epoch by epoch. An epoch depends on its number
/// and on what it is given alone, so that training can go on from any of them.
class EmbeddingTrainer {
 public:
  EmbeddingTrainer(const Graph& graph, const ModelShape& shape, const EmbeddingSettings& settings,
                   Team& team);

  /// The mean loss of epoch `epoch`, counted from 0, with the rate times `share`.
  double learn_epoch(std::uint32_t epoch, double share, Parameters<float>& parameters,
                     Parameters<float>& first, Parameters<float>& second);

  /// Steps of an epoch.
  std::size_t steps() const { return (queries_.size() + settings_.batch - 1) / settings_.batch; }

 private:
  EmbeddingSettings settings_;
  Team& team_;
  EmbeddingLoss<float> loss_;
  std::vector<EmbeddingQuery> queries_;  ///< that have answers, by start and target
  Parameters<float> gradient_;           ///< zero between steps
};

}  // namespace lerpp
