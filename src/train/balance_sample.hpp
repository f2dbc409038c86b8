// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/eval/part_scorer.hpp>
#include <lerp/eval/ranking_plan.hpp>

namespace lerpp {

/// The scores of a ranking with kinds of evidence kept apart, so that its MRR is known for any
/// factors of the kinds without asking the model again. Only what depends on the factors is kept: a
/// candidate that no kind, or every kind, prefers to the answer ranks the same whatever they are.
class BalanceSample {
 public:
  /// Asks the model all that is in the plan.
  static Result<BalanceSample> make(const PartScorer& scorer, const RankingPlan& plan,
                                    const Observer& observer);

  /// Realistic ranks of both directions, as `rank` would find them. Factors are above 0, one for
  /// each kind.
  double mrr(std::span<const float> factors) const;
  std::size_t bytes() const;

 private:
  /// One answer to be ranked.
  struct Answer {
    Rank always;            ///< of candidates that rank the same whatever the factors
    std::size_t first = 0;  ///< of its differences
    std::size_t count = 0;  ///< candidates whose rank depends on the factors
  };
  /// The answers of one batch of the plan.
  struct Batch {
    std::vector<Answer> answers;
    std::vector<std::size_t> places;
    /// Of each kind, by how much each candidate scores higher than the answer.
    std::vector<float> differences;
  };
  struct Workspace {
    std::vector<Query> queries;
    std::vector<float> parts;
    std::vector<EntityId> candidates;
    std::vector<EntityId> open;
  };

  BalanceSample(std::size_t kinds, unsigned threads) : kinds_(kinds), threads_(threads) {}
  void ask(const PartScorer& scorer, const RankingPlan& plan, RankingPlan::Range range,
           Workspace& space, Batch& batch) const;
  void compare(std::span<const float> parts, EntityId entities, EntityId answer, Workspace& space,
               Batch& batch) const;
  Rank rank(const Batch& batch, const Answer& answer, std::span<const float> factors) const;

  std::size_t kinds_;
  unsigned threads_;
  std::vector<Batch> batches_;
  std::size_t ranks_ = 0;
};

}  // namespace lerpp
