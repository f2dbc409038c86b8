#pragma once

#include <vector>

#include "model/ball.hpp"
#include "model/rule_weights.hpp"

namespace lerpp {

/// The rules of a target on the ball of one query: hop after hop, forward and backward. One for
/// each worker.
template <class Real>
class BallRules {
 public:
  /// Scores of the ball's nodes, for the query that starts at a node. `constraints` has a row for
  /// each slot, `slots` the slot of each node.
  void forward(const RuleWeights<Real>& weights, const Ball& ball, std::uint32_t start,
               const Real* constraints, const std::uint32_t* slots);
  std::span<const Real> scores() const { return scores_; }
  /// x_k, for tests: rows of padded rules, one for each node within k hops.
  const std::vector<Real>& hop(std::uint32_t k) const { return x_[k]; }

  /// Adds to `sums` and to `constraint_gradient` what d loss / d scores means; forward() came
  /// before.
  void backward(const RuleWeights<Real>& weights, const Ball& ball, const Real* constraints,
                const std::uint32_t* slots, std::span<const Real> score_gradient,
                typename RuleWeights<Real>::Sums& sums, Real* constraint_gradient);

 private:
  std::vector<std::vector<Real>> u_;  ///< of hop k before the constraint
  std::vector<std::vector<Real>> x_;  ///< and after it
  std::vector<Real> scores_;
  std::vector<Real> gradient_, next_gradient_;
};

/// The loss of one query and the gradient of its scores. `answer` is a node, or no_slot where the
/// answer was not reached. The share of the answer counts as at least 1e-20, where the gradient is
/// zero.
template <class Real>
Real query_loss(std::span<const Real> scores, std::uint32_t answer, Real weight,
                std::vector<Real>& gradient);

}  // namespace lerpp
