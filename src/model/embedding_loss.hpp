#pragma once

#include <span>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/embedding_scores.hpp"

namespace lerpp {

/// What the embedding learns, apart from the rules so that it cannot change them: each answer that
/// the graph has for a query, by its cross-entropy over all entities but the other answers, with
/// the N3 of the start, the target and the answer.
template <class Real>
class EmbeddingLoss {
 public:
  EmbeddingLoss(const Graph& graph, Team& team, double n3)
      : graph_(graph), team_(team), n3_(n3), scores_(team) {}

  /// The loss, on average over the answers. Adds its gradient to that of the targets' relations and
  /// of the entities. Queries of one batch may have different targets.
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
  double n3_;
  EmbeddingScores<Real> scores_;
};

}  // namespace lerpp
