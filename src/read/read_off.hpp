// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/rule.hpp>
#include <lerp/model/model.hpp>

#include "base/random.hpp"
#include "model/background.hpp"
#include "read/rule_features.hpp"

namespace lerpp {

/// A body, and where the model sums its walks with others' below one logarithm: a hop of a soft
/// rule, and how much a walk counts there.
struct Candidate {
  Rule rule;
  std::optional<std::size_t> place = {};  ///< in Part::weight of the target
  double amount = 0;
};

/// The bodies by which the model gets to answers, right and wrong, of some training queries: walks
/// of its soft rules, drawn as they carry weight, and its path table; at most so many of each, the
/// heaviest first. Without literals. The softmaxes alone would not do: most of what they weigh
/// highest has no instance in the graph. Asks fewer where the observer asks to stop.
std::vector<Candidate> read_off(const Model& model, const Background& background, OperatorId target,
                                std::span<const Question> questions, std::size_t most,
                                Random& random, const Observer& observer = {});

/// Operators that entities most often have or lack: what literals are made of.
std::vector<OperatorId> telling_operators(const Graph& graph, std::size_t most);

/// The rule with one literal more, `∃z op(v,z)` or its negation, for each of its variables and each
/// operator; none that the hops imply or contradict.
std::vector<Rule> with_literals(const Rule& rule, const std::vector<OperatorId>& operators,
                                RelationId relations);

}  // namespace lerpp
