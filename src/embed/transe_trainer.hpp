// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/embed/embed.hpp>

#include "embed/shuffled_queries.hpp"
#include "embed/transe_loss.hpp"

namespace lerpp {

/// Teaches TransE all facts of a graph in both directions, epoch by epoch. A batch depends on the
/// epoch, its number and what it is given alone.
class TransETrainer {
 public:
  /// The graph and the team must outlive it. Options must be resolved.
  TransETrainer(const Graph& graph, const TransEShape& shape, const EmbedOptions& options,
                Team& team);

  /// Counted from 0. The rate is so much of what options and schedule say.
  void start_epoch(std::uint32_t epoch, double share_of_rate = 1);
  const ShuffledQueries& queries() const { return queries_; }
  /// Learns a batch of the epoch.
  TransELosses learn(std::size_t batch, EmbedState& state);

 private:
  std::span<const EntityId> draw_candidates(std::size_t batch);
  const Mask* hide(std::span<const EmbeddingQuery> queries);
  void step(double rate, EmbedState& state);

  EmbedOptions options_;
  RelationId relations_;
  Team& team_;
  TransELoss<float> loss_;
  ShuffledQueries queries_;
  std::uint32_t epoch_ = 0;
  double share_ = 1;  ///< of the rate, in this epoch
  Mask mask_;
  std::vector<Fact> hidden_;
  std::vector<EntityId> candidates_;
  TransEParameters<float> gradient_;  ///< zero between steps
};

}  // namespace lerpp
