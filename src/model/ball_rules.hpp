// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/ball.hpp"
#include "model/buffer.hpp"
#include "model/rule_weights.hpp"

namespace lerpp {

/// Constraints of the nodes of a ball: a row of values for each slot, and the slot of each node.
/// Without values all are 1.
template <class Real>
struct Constraints {
  const Real* values = nullptr;
  const std::uint32_t* slots = nullptr;
};

/// Where their gradient is added up: rows may lie in another order.
template <class Real>
struct ConstraintGradient {
  Real* values = nullptr;
  const std::uint32_t* slots = nullptr;
};

/// The rules of a target on the ball of one query, or of several on the whole graph where the
/// weights have a copy for each: hop after hop, forward and backward. One for each worker.
template <class Real>
class BallRules {
 public:
  /// Scores of the ball's nodes, for the queries that start at these nodes, at most one a copy.
  void forward(const RuleWeights<Real>& weights, const Ball& ball,
               std::span<const std::uint32_t> starts, const Constraints<Real>& constraints);
  /// A row for each query.
  std::span<const Real> scores() const { return scores_; }
  /// x_k, for tests: for each block of rules, a row for each node within k hops.
  const Buffer<Real>& hop(std::uint32_t k) const { return x_[k]; }

  /// Adds to `sums` and to `constraint_gradient` what d loss / d scores means; forward() came
  /// before.
  void backward(const RuleWeights<Real>& weights, const Ball& ball,
                const Constraints<Real>& constraints, std::span<const Real> score_gradient,
                typename RuleWeights<Real>::Sums& sums,
                const ConstraintGradient<Real>& constraint_gradient);

  /// The same for rules that add evidence: `nodes` alone have a gradient.
  struct Marked {
    std::span<const std::uint32_t> nodes;
    std::span<const Real> gradient;
  };
  void backward(const RuleWeights<Real>& weights, const Ball& ball,
                const Constraints<Real>& constraints, const Marked& marked,
                typename RuleWeights<Real>::Sums& sums,
                const ConstraintGradient<Real>& constraint_gradient);

 private:
  void forward_block(const RuleWeights<Real>& weights, std::size_t block, const Ball& ball,
                     const Constraints<Real>& constraints);
  /// x_k of a block from x_{k-1}, before the constraint.
  void hop_block(const RuleWeights<Real>& weights, std::size_t block, const Ball& ball,
                 std::uint32_t k, Real* u);
  void sum_block(const RuleWeights<Real>& weights, std::size_t block, const Ball& ball);
  void backward_block(const RuleWeights<Real>& weights, std::size_t block, const Ball& ball,
                      const Constraints<Real>& constraints, std::span<const Real> score_gradient,
                      typename RuleWeights<Real>::Sums& sums,
                      const ConstraintGradient<Real>& constraint_gradient);
  void evidence_backward(const RuleWeights<Real>& weights, std::size_t block, const Ball& ball,
                         const Constraints<Real>& constraints, const Marked& marked,
                         typename RuleWeights<Real>::Sums& sums,
                         const ConstraintGradient<Real>& constraint_gradient);
  /// Goes back through the constraints of `count` nodes at hop k; nodes without a mark, where
  /// there are marks, are left out.
  void constrain_backward(const RuleWeights<Real>& weights, std::size_t block, const Ball& ball,
                          std::uint32_t k, std::size_t first, std::size_t count,
                          const std::uint8_t* marks, const Constraints<Real>& constraints,
                          const ConstraintGradient<Real>& constraint_gradient);

  std::vector<std::uint32_t> starts_;       ///< nodes of the last queries
  std::vector<std::uint32_t> start_nodes_;  ///< each once
  std::vector<Buffer<Real>> u_;             ///< of hop k before the constraint
  std::vector<Buffer<Real>> x_;             ///< and after it
  Buffer<Real> scores_;
  Buffer<Real> gradient_, next_gradient_;
  std::vector<std::uint8_t> marks_, next_marks_;  ///< which of their rows hold anything
};

/// The loss of one query and the gradient of its scores. `answer` is a node, or no_slot where the
/// answer was not reached. The share of the answer counts as at least 1e-20, where the gradient is
/// zero.
template <class Real>
Real query_loss(std::span<const Real> scores, std::uint32_t answer, Real weight,
                std::span<Real> gradient);

}  // namespace lerpp
