#pragma once

#include <cstdint>
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

}  // namespace lerpp
