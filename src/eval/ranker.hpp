// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/eval/ranking.hpp>

#include "eval/score_key.hpp"

namespace lerpp {

/// Ranks all answers of one query from its scores. Known answers, the asked ones among them, are
/// no candidates; so one pass over the candidates serves every answer. Keeps its memory from query
/// to query: have one for each thread.
class Ranker {
 public:
  /// `answers` and `known` are sorted by entity; ranks[i] belongs to answers[i].
  void rank(const Scores& scores, EntityId entities, std::span<const EntityId> answers,
            std::span<const Edge> known, std::span<Rank> ranks);

 private:
  void rank_dense(std::span<const float> values, std::span<const EntityId> answers,
                  std::span<const Edge> known, std::span<Rank> ranks);
  /// Linear in what the scores list and in what is known, not in the entities.
  void rank_sparse(const Scores& scores, EntityId entities, std::span<const EntityId> answers,
                   std::span<const Edge> known, std::span<Rank> ranks);
  /// Whether the entity was a candidate till now.
  bool exclude(EntityId entity);
  bool excluded(EntityId entity) const {
    return (excluded_[entity / 64] >> (entity % 64) & 1U) != 0;
  }

  std::vector<ScoreKey> keys_;
  std::vector<ScoreKey> answer_keys_;
  std::vector<std::uint64_t> excluded_;  ///< one bit an entity, all clear between queries
};

}  // namespace lerpp
