// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/embedding_scores.hpp"

namespace lerpp {

/// What the embedding learns, apart from the rules so that it cannot change them: the cross-entropy
/// of an answer over all entities, and the N3 of start, target and answer.
template <class Real>
class EmbeddingLoss {
 public:
  struct Settings {
    double n3 = 0;
    /// Leaves the other answers that the graph knows out of the softmax. On the validation facts of
    /// Kinship and UMLS that was worse, by .015 to .02 MRR.
    bool filtered = false;
  };

  EmbeddingLoss(const Graph& graph, Team& team, const Settings& settings)
      : graph_(graph), team_(team), settings_(settings), scores_(team) {}

  /// The mean loss. Adds its gradient to that of the targets' relations and of the entities.
  /// Queries of one batch may have different targets.
  double learn(const Parameters<Real>& parameters, std::span<const EmbeddingQuery> queries,
               Parameters<Real>& gradient);

 private:
  double learn_some(const Parameters<Real>& parameters, std::span<const EmbeddingQuery> queries,
                    Real weight, Parameters<Real>& gradient);
  double softmax(std::span<const EmbeddingQuery> queries, std::size_t first, Real weight);
  double regularize(const Parameters<Real>& parameters, std::span<const EmbeddingQuery> queries,
                    Real weight, Parameters<Real>& gradient) const;

  const Graph& graph_;
  Team& team_;
  Settings settings_;
  EmbeddingScores<Real> scores_;
};

}  // namespace lerpp
