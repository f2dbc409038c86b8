// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "model/rule_trace.hpp"

namespace lerpp {

/// A walk of a soft rule over the ball of a question, and what it carries: the product of the
/// operators' weights and of the constraints on the way.
struct SoftWalk {
  double weight = 0;
  std::vector<OperatorId> operators;  ///< one a hop; the identity, 2R, stays
  std::vector<std::uint32_t> nodes;   ///< one more
};

/// The heaviest walks behind what the rules have reached, exactly: the heaviest way to every node
/// is found hop by hop, and then the search goes back from the end, always on with the walk that
/// can still become the heaviest.
class BestWalks {
 public:
  /// Of the last question, until the next.
  explicit BestWalks(const RuleTrace& asked) : asked_(asked) {}

  /// Walks of a rule to a node, by hop k, the heaviest first: at most so many, and no more than it
  /// takes to carry `enough` together.
  std::vector<SoftWalk> find(std::size_t rule, std::uint32_t k, std::uint32_t node,
                             std::size_t most, double enough);

 private:
  void climb(std::size_t rule, std::uint32_t k);
  /// Calls action(node, op) for all from where hop k leads to a node.
  template <class Action>
  void for_each_before(std::uint32_t k, std::uint32_t node, Action&& action) const;

  const RuleTrace& asked_;
  std::optional<std::size_t> rule_;        ///< of best_
  std::vector<std::vector<double>> best_;  ///< by hop and node: the heaviest walk
};

}  // namespace lerpp
