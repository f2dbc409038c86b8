// SPDX-License-Identifier: Apache-2.0
#include "explain/witness.hpp"

#include <algorithm>

namespace lerpp {

using Kind = Formula::Kind;

bool VisibleGraph::contains(EntityId from, OperatorId op, EntityId to) const {
  const std::size_t place = graph_.find(from, op, to);
  return place < graph_.edges().size() && !(mask_.touches(from) && mask_.hides(place));
}

bool VisibleGraph::holds(const Formula& formula, EntityId entity) const {
  const auto holds_here = [&](const Formula& part) { return holds(part, entity); };
  switch (formula.kind()) {
    case Kind::truth:
      return true;
    case Kind::falsity:
      return false;
    case Kind::constant:
      return contains(entity, formula.op(), formula.entity());
    case Kind::exists:
      return any(entity, formula.op(), [&](EntityId z) { return holds(formula.inner(), z); });
    case Kind::negation:
      return !holds(formula.inner(), entity);
    case Kind::conjunction:
      return std::all_of(formula.parts().begin(), formula.parts().end(), holds_here);
    case Kind::disjunction:
      break;
  }
  return std::any_of(formula.parts().begin(), formula.parts().end(), holds_here);
}

std::vector<Fact> VisibleGraph::witness(const Formula& formula, EntityId entity) const {
  std::vector<Fact> facts;
  witness(formula, entity, facts);
  return facts;
}

void VisibleGraph::witness(const Formula& formula, EntityId entity,
                           std::vector<Fact>& facts) const {
  const RelationId relations = graph_.relations();
  switch (formula.kind()) {
    case Kind::constant:
      facts.push_back(step_fact(entity, formula.op(), formula.entity(), relations));
      return;
    case Kind::exists:
      any(entity, formula.op(), [&](EntityId z) {
        if (!holds(formula.inner(), z)) return false;
        facts.push_back(step_fact(entity, formula.op(), z, relations));
        witness(formula.inner(), z, facts);
        return true;
      });
      return;
    case Kind::conjunction:
      for (const Formula& part : formula.parts()) witness(part, entity, facts);
      return;
    case Kind::disjunction:
      for (const Formula& part : formula.parts()) {
        if (holds(part, entity)) return witness(part, entity, facts);
      }
      return;
    case Kind::truth:
    case Kind::falsity:
    case Kind::negation:
      return;
  }
}

}  // namespace lerpp
