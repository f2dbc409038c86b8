// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <lerp/base/team.hpp>

#include "model/embedding_scores.hpp"

namespace lerpp {

/// Adds mix * the embedding's score to each entity. The embedding learns apart (EmbeddingLoss), so
/// that the rules are the same with it and without. It remembers facts, so no mask hides anything
/// from it.
template <class Real>
class EmbeddingTerm {
 public:
  explicit EmbeddingTerm(Team& team) : scores_(team), workers_(team.size()) {}

  void begin(const Parameters<Real>& parameters, OperatorId target);
  /// Scores these starts together, which add() then only looks up; works with the whole team. What
  /// it would hold beyond a limit, add() computes when asked.
  void prepare(std::span<const EntityId> starts);
  /// The embedding's own scores of all entities, till the worker's next call.
  std::span<const Real> scores(unsigned worker, EntityId start);
  void add(unsigned worker, EntityId start, std::span<Real> scores);

 private:
  struct Worker {
    Buffer<Real> query;
    Buffer<Real> scores;  ///< of the last add(), without the mix
  };
  const Parameters<Real>* parameters_ = nullptr;
  OperatorId target_ = 0;
  EmbeddingScores<Real> scores_;
  std::vector<EmbeddingQuery> queries_;
  std::unordered_map<EntityId, std::size_t> columns_;  ///< of the prepared starts
  std::vector<Worker> workers_;
};

}  // namespace lerpp
