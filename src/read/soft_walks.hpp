// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/model/model.hpp>

#include "base/random.hpp"
#include "model/rule_trace.hpp"

namespace lerpp {

/// What operators weigh at a hop of a rule, the identity last.
std::vector<double> hop_weights(const Model& model, OperatorId target, std::size_t rule,
                                std::size_t hop);

/// One hop of a walk: by `op` (the identity is 2R) to a node.
struct SoftHop {
  OperatorId op = 0;
  std::uint32_t node = 0;
};

/// Draws a walk behind what a rule has reached, as walks carry weight: its hops from the start to
/// the node, first to last. False where rounding led astray.
bool draw_walk(const RuleTrace& trace, std::size_t rule, std::uint32_t hops, std::uint32_t node,
               Random& random, std::vector<SoftHop>& walk);

/// The operators of a walk, without the identity.
std::vector<OperatorId> operators_of(const RuleTrace& trace, const std::vector<SoftHop>& walk);

/// A walk without its detours: a part of it that comes back to where it began says nothing of x and
/// y. Places are entities, or nodes of a ball.
struct FoldedWalk {
  std::vector<OperatorId> hops;
  std::vector<std::uint32_t> places;                ///< one more, no two the same
  std::vector<std::vector<std::size_t>> variables;  ///< of the rule, that lie at each place

  bool operator==(const FoldedWalk&) const = default;
};
/// An operator that stays in place, the identity, is a detour too. There is one place more.
FoldedWalk folded(std::span<const OperatorId> operators, std::span<const std::uint32_t> places);

/// What one grounding of a body adds to the score in a model that sums its rules: over all soft
/// rules, and over all hops at which they may stay in place, the product of the operators' shares
/// and of the constraints on the way. The grounding is that of the nodes, one more than the hops.
double grounding_weight(const RuleTrace& trace, std::span<const OperatorId> hops,
                        std::span<const std::uint32_t> nodes);

}  // namespace lerpp
