#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/rule.hpp>
#include <lerp/model/model.hpp>

namespace lerpp {

/// The bodies that the model itself weighs most for a target: the operator sequences of its soft
/// rules, by beam search, and its path table; half of each where there are many. Without literals.
std::vector<Rule> read_off(const Model& model, OperatorId target, std::size_t most);

/// Operators that entities most often have or lack: what literals are made of.
std::vector<OperatorId> telling_operators(const Graph& graph, std::size_t most);

/// The rule with one literal more, `∃z op(v,z)` or its negation, for each of its variables and each
/// operator; none that the hops imply or contradict.
std::vector<Rule> with_literals(const Rule& rule, const std::vector<OperatorId>& operators,
                                RelationId relations);

}  // namespace lerpp
