// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/entity_set.hpp>
#include <lerp/logic/rule.hpp>

namespace lerpp {

/// Where formulas hold in one graph, exactly. Each is computed once, in time linear in the facts,
/// and kept: rules share their functions. One evaluator serves one thread.
class Evaluator {
 public:
  explicit Evaluator(const Graph& graph) : graph_(&graph) {}

  const Graph& graph() const { return *graph_; }
  /// The entities of which the formula holds.
  const EntitySet& operator()(const Formula& formula);

 private:
  EntitySet compute(const Formula& formula);

  const Graph* graph_;
  std::unordered_map<Formula, EntitySet> known_;
};

EntitySet evaluate(const Formula& formula, const Graph& graph);

/// The y that the body reaches from x = start, in rising order. As if the graph did not hold
/// `hidden`, where given.
std::vector<EntityId> answers(const Rule& rule, EntityId start, Evaluator& evaluator,
                              const std::optional<Fact>& hidden = {});

/// The entities z0 = start, ..., zK = answer of one proof, or nothing where the rule has none. A
/// pair rule is proved by start and answer.
std::optional<std::vector<EntityId>> proof(const Rule& rule, EntityId start, EntityId answer,
                                           Evaluator& evaluator,
                                           const std::optional<Fact>& hidden = {});

}  // namespace lerpp
