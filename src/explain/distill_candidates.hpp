#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/rule.hpp>
#include <lerp/model/model.hpp>

#include "base/random.hpp"
#include "explain/distill_features.hpp"
#include "model/ball.hpp"

namespace lerpp {

/// The bodies by which the model gets to answers, right and wrong, of some training queries: walks
/// of its soft rules, drawn as they carry weight, and its path table; half of each where there are
/// many. Without literals. The softmaxes alone would not do: most of what they weigh highest has no
/// instance in the graph.
std::vector<Rule> read_off(const Model& model, const Graph& graph, OperatorId target,
                           std::span<const Question> questions, std::size_t most, Random& random);

/// Operators that entities most often have or lack: what literals are made of.
std::vector<OperatorId> telling_operators(const Graph& graph, std::size_t most);

/// The rule with one literal more, `∃z op(v,z)` or its negation, for each of its variables and each
/// operator; none that the hops imply or contradict.
std::vector<Rule> with_literals(const Rule& rule, const std::vector<OperatorId>& operators,
                                RelationId relations);

}  // namespace lerpp
