// SPDX-License-Identifier: Apache-2.0
#include "logic/hidden.hpp"

#include <algorithm>

namespace lerpp {

using Kind = Formula::Kind;

bool Hidden::holds(const Formula& formula, EntityId entity) {
  const std::vector<EntityId>& changed = exceptions(formula);
  return evaluator_(formula).contains(entity) != std::ranges::binary_search(changed, entity);
}

const std::vector<EntityId>& Hidden::exceptions(const Formula& formula) {
  if (const auto known = known_.find(formula); known != known_.end()) return known->second;
  std::vector<EntityId> changed = candidates(formula);
  std::ranges::sort(changed);
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  const EntitySet& whole = evaluator_(formula);
  std::erase_if(changed, [&](EntityId e) { return compute(formula, e) == whole.contains(e); });
  return known_.emplace(formula, std::move(changed)).first->second;
}

std::vector<EntityId> Hidden::candidates(const Formula& formula) {
  const Graph& graph = evaluator_.graph();
  std::vector<EntityId> result;
  if (formula.is(Kind::exists) || formula.is(Kind::constant)) {
    if (formula.op() == fact_.relation) result.push_back(fact_.subject);
    if (formula.op() == fact_.relation + graph.relations()) result.push_back(fact_.object);
  }
  for (const Formula& part : formula.parts()) {
    const std::vector<EntityId>& below = exceptions(part);
    if (!formula.is(Kind::exists)) {
      result.insert(result.end(), below.begin(), below.end());
      continue;
    }
    for (const EntityId z : below) {
      for (const Edge& edge : graph.edges(z, graph.inverse(formula.op()))) {
        result.push_back(edge.target);
      }
    }
  }
  return result;
}

bool Hidden::compute(const Formula& formula, EntityId entity) {
  const auto at_entity = [&](const Formula& part) { return holds(part, entity); };
  const auto& parts = formula.parts();
  switch (formula.kind()) {
    case Kind::truth:
      return true;
    case Kind::falsity:
      return false;
    case Kind::constant: {
      const Edge edge = {formula.op(), formula.entity()};
      return evaluator_(formula).contains(entity) && !hides(entity, edge);
    }
    case Kind::exists: {
      const auto row = evaluator_.graph().edges(entity, formula.op());
      return std::ranges::any_of(row, [&](const Edge& edge) {
        return !hides(entity, edge) && holds(formula.inner(), edge.target);
      });
    }
    case Kind::negation:
      return !at_entity(formula.inner());
    case Kind::conjunction:
      return std::ranges::all_of(parts, at_entity);
    case Kind::disjunction:
      return std::ranges::any_of(parts, at_entity);
  }
  return false;
}

}  // namespace lerpp
