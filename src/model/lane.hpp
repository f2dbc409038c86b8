// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/backend.hpp"
#include "model/pass.hpp"

namespace lerpp {

/// What one thread needs to learn lanes.
template <class Real>
struct Learner {
  explicit Learner(const Pass<Real>& pass)
      : asker(pass), nodes_of(pass.graph().entities(), kernels::no_slot) {}

  Asker<Real> asker;
  Buffer<Real> score_gradient;  ///< of rules that are summed
  // Of rules that add evidence: scores of all entities, what is learned from them, and where the
  // entities of a lesson are in the ball.
  Buffer<Real> scores;
  ScoreLoss<Real> loss;
  EntityMap<std::uint32_t> nodes_of;
  std::vector<std::uint32_t> lesson_nodes;
  std::vector<Real> lesson_gradient;
  // Where a part adds up the gradient of the constraints.
  std::vector<std::uint32_t> part_rows;   ///< by row of the lane; no_slot between queries
  std::vector<std::uint32_t> node_slots;  ///< by node
};

/// One batch on its way through a step: a pass, the losses of its queries, and the way back.
///
/// Its queries fall into parts, the rows of its functions into chunks, and sums are taken part by
/// part and chunk by chunk. How many there are depends on the batch alone, so that the result does
/// not depend on who computes what. The steps come in the order in which they are declared.
template <class Real>
class Lane {
 public:
  Lane(const Background& background, std::size_t copies) : pass_(background, copies) {}

  void begin(const Parameters<Real>& parameters, const Batch& batch, const StepSettings& settings,
             Path path);
  Pass<Real>& pass() { return pass_; }

  /// Cuts the batch into parts, once the pass has collected its rows.
  void divide();
  std::size_t parts() const { return parts_.size(); }
  /// Edges that a part follows.
  std::size_t cost(std::size_t part) const;
  /// What learns under a softmax of its own: the rules come first. They know nothing of each other.
  std::size_t groups() const;
  /// Forward, loss and backward for the queries of a part, one after the other: what they hold of
  /// every node stays in the cache. Of one group alone.
  void learn(Learner<Real>& learner, std::size_t part, std::size_t group);

  /// Adds up what the parts have found of the constraints, and goes back to the functions.
  std::size_t chunks() const { return pass_.constraints() == nullptr ? 0 : chunk_sums_.size(); }
  void learn_constraints(std::size_t chunk);
  /// Functions go back then; see Functions.

  /// Sets the gradient of the target, and that of the functions.
  void store(Parameters<Real>& gradient, std::span<Real> shared);
  double loss() const;

 private:
  struct PartSums {
    std::size_t first = 0;  ///< queries
    std::size_t last = 0;
    std::vector<double> losses;  ///< of each group
    typename RuleWeights<Real>::Sums rules;
    std::vector<Buffer<Real>> terms;      ///< as the parts of the target
    std::vector<std::uint32_t> rows;      ///< of the lane, that have a gradient
    Buffer<Real> gradient;                ///< of their constraints
    std::vector<std::uint32_t> by_chunk;  ///< places in rows, chunk by chunk
    std::vector<std::size_t> chunk_starts;
  };

  /// The terms of a group, from the first to before the last.
  struct Kinds {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  Kinds kinds_of(std::size_t group) const;
  void learn_rules(Learner<Real>& learner, PartSums& part);
  void learn_sum(Learner<Real>& learner, PartSums& part, std::size_t first, std::size_t count);
  void learn_evidence(Learner<Real>& learner, PartSums& part, std::size_t query);
  void add_terms(Learner<Real>& learner, std::size_t query, Kinds kinds);
  void teach_terms(Learner<Real>& learner, PartSums& part, const Lesson<Real>& lesson, Kinds kinds);
  /// What is to be learned from the learner's scores, which it uses up; their loss is added.
  Lesson<Real> draw_lesson(Learner<Real>& learner, std::size_t query, double& loss) const;
  Constraints<Real> constraints(const Learner<Real>& learner) const;
  /// Room for the gradient of the constraints of these nodes and of the first `count`.
  ConstraintGradient<Real> open_rows(Learner<Real>& learner, PartSums& part, const Ball& ball,
                                     std::size_t count, std::span<const std::uint32_t> nodes) const;
  void close_rows(Learner<Real>& learner, PartSums& part) const;

  Pass<Real> pass_;
  const Batch* batch_ = nullptr;
  StepSettings settings_;
  std::vector<std::size_t> term_sizes_;  ///< parameters of the target, of each kind
  std::vector<PartSums> all_parts_;      ///< some of them unused
  std::span<PartSums> parts_;
  std::size_t chunk_rows_ = 0;
  std::vector<typename RuleWeights<Real>::ConstraintSums> chunk_sums_;
  Buffer<Real> row_gradient_;  ///< of the constraints of every row
};

}  // namespace lerpp
