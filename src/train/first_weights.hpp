// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/model/paths.hpp>

namespace lerpp {

/// Known facts of a relation up to which its targets begin with what is said below.
constexpr std::uint32_t few_facts_of_relation = 10;

/// Targets with few facts cannot learn what they need: with its own fact hidden, a relation of one
/// has nothing left to learn from. Their weights begin with what can be counted instead, as
/// log-odds, and learning goes on from there:
///
/// - an answer that the target has had before answers it again: as often as it does among so few
///   facts of the graph's other targets;
/// - r(x,y), or r(y,x), speaks for the target as its few facts and the rest of the graph say, the
///   mirrored fact of the same relation among them.
///
/// `paths` are those of the model, if it has any. Nothing happens to other targets, nor where the
/// model lacks such evidence.
void begin_small_targets(const Graph& graph, const PathTable* paths, Parameters<float>& parameters);

/// The chance that a fact's answer is among those of `facts` others of its target: the mean over
/// targets with more facts, and a cautious guess where there are none.
double chance_of_known_answer(const Graph& graph, std::uint32_t facts);

}  // namespace lerpp
