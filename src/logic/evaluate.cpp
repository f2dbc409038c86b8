// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>

#include <lerp/logic/evaluate.hpp>

#include "logic/hidden.hpp"
#include "logic/walk.hpp"

namespace lerpp {

using Kind = Formula::Kind;

const EntitySet& Evaluator::operator()(const Formula& formula) {
  if (const auto known = known_.find(formula); known != known_.end()) return known->second;
  return known_.emplace(formula, compute(formula)).first->second;
}

EntitySet Evaluator::compute(const Formula& formula) {
  const EntityId entities = graph_->entities();
  EntitySet result(entities, formula.is(Kind::truth) || formula.is(Kind::conjunction));
  switch (formula.kind()) {
    case Kind::truth:
    case Kind::falsity:
      break;
    case Kind::constant:
      assert(formula.entity() < entities && formula.op() < graph_->operators());
      for (const Edge& edge : graph_->edges(formula.entity(), graph_->inverse(formula.op()))) {
        result.insert(edge.target);
      }
      break;
    case Kind::exists:
      assert(formula.op() < graph_->operators());
      // Backwards from those that fulfil the inner formula: each fact is touched at most once.
      (*this)(formula.inner()).for_each([&](EntityId z) {
        for (const Edge& edge : graph_->edges(z, graph_->inverse(formula.op()))) {
          result.insert(edge.target);
        }
      });
      break;
    case Kind::negation:
      result = (*this)(formula.inner());
      result.complement();
      break;
    case Kind::conjunction:
      for (const Formula& part : formula.parts()) result &= (*this)(part);
      break;
    case Kind::disjunction:
      for (const Formula& part : formula.parts()) result |= (*this)(part);
      break;
  }
  return result;
}

EntitySet evaluate(const Formula& formula, const Graph& graph) {
  return Evaluator(graph)(formula);
}

std::vector<EntityId> answers(const Rule& rule, EntityId start, Evaluator& evaluator,
                              const std::optional<Fact>& hidden) {
  Walk walk(rule, evaluator);
  Hidden view(evaluator, hidden.value_or(Fact{}));
  std::vector<EntityId> reached = walk.from(start, hidden ? &view : nullptr).back();
  std::ranges::sort(reached);
  return reached;
}

std::optional<std::vector<EntityId>> proof(const Rule& rule, EntityId start, EntityId answer,
                                           Evaluator& evaluator,
                                           const std::optional<Fact>& hidden) {
  Walk walk(rule, evaluator);
  Hidden view(evaluator, hidden.value_or(Fact{}));
  std::vector<EntityId> path = walk.prove(start, answer, hidden ? &view : nullptr);
  if (path.empty()) return std::nullopt;
  return path;
}

}  // namespace lerpp
