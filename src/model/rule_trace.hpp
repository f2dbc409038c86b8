// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/pass.hpp"

namespace lerpp {

/// What the rules of a target did with a query: how far each of them came, hop by hop, and what it
/// said. Serves one pass and one asker, both of which must outlive it.
class RuleTrace {
 public:
  RuleTrace(const Pass<float>& pass, const Asker<float>& asker)
      : pass_(pass), asker_(asker), node_of_(pass.graph().entities(), kernels::no_slot) {}

  /// Turns to a query, which the asker has just followed.
  void open(std::size_t query);

  const Graph& graph() const { return pass_.graph(); }
  const Mask& mask() const { return pass_.mask(); }
  const Ball& ball() const { return *ball_; }
  /// Where an entity is in the ball; no_slot where no rule reaches it.
  std::uint32_t node(EntityId entity) const { return node_of_[entity]; }
  EntityId entity(std::uint32_t node) const { return ball_->nodes[node]; }
  /// Whether a node's edges are followed.
  bool passes_on(std::uint32_t node) const {
    return node + std::size_t{1} < ball_->starts.size() &&
           ball_->starts[node] < ball_->starts[node + 1];
  }

  std::uint32_t rules() const { return pass_.weights().shape().rules; }
  std::uint32_t length() const { return pass_.weights().length(); }
  OperatorId identity() const { return pass_.graph().operators(); }
  /// What an operator weighs at hop k of a rule (counted from 1); the identity comes last.
  double hop_weight(std::size_t rule, std::uint32_t k, OperatorId op) const;
  /// c_k of a node.
  double constraint(std::size_t rule, std::uint32_t k, std::uint32_t node) const;
  /// x_k of a node.
  double reached(std::size_t rule, std::uint32_t k, std::uint32_t node) const;
  /// What a rule adds to the score of a node for having reached it with hop k.
  double share(std::size_t rule, std::uint32_t k, std::uint32_t node) const;

 private:
  const Pass<float>& pass_;
  const Asker<float>& asker_;
  const Ball* ball_ = nullptr;
  std::vector<std::uint32_t> node_of_;
  std::vector<EntityId> placed_;  ///< entities that have a node
};

}  // namespace lerpp
