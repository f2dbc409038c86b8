// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>

namespace lerpp {

/// Scores of all entities that do not depend on where a question starts, sorted once: a question
/// that changes some of them then costs what it changes, not what the graph holds.
class ScoreBase {
 public:
  /// Entities of equal score, which follow each other in the order.
  struct Run {
    float score = 0;
    std::size_t end = 0;  ///< of its places
    double mass = 0;      ///< sum of exp(score - best) of this run and of all behind it
  };

  explicit ScoreBase(std::vector<float> scores);

  std::span<const float> scores() const { return scores_; }
  float best() const { return runs_.front().score; }
  /// All entities, the best first; equal ones by number.
  std::span<const EntityId> order() const { return order_; }
  std::span<const Run> runs() const { return runs_; }
  /// The first run whose score is not above this one; their number where all are above.
  std::size_t run_at(float score) const;
  /// Entities before a run.
  std::size_t before(std::size_t run) const { return run == 0 ? 0 : runs_[run - 1].end; }
  /// Sum of exp(score - best) of the runs from one up to another.
  double mass(std::size_t first, std::size_t last) const;

 private:
  std::vector<float> scores_;
  std::vector<EntityId> order_;
  std::vector<Run> runs_;
};

}  // namespace lerpp
