// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/formula.hpp>

namespace lerpp {

/// The fact behind a step by an operator.
inline Fact step_fact(EntityId from, OperatorId op, EntityId to, RelationId relations) {
  return op < relations ? Fact{from, op, to} : Fact{to, op - relations, from};
}

/// A graph while some of its facts are hidden.
class VisibleGraph {
 public:
  VisibleGraph(const Graph& graph, const Mask& mask) : graph_(graph), mask_(mask) {}

  const Graph& graph() const { return graph_; }
  bool contains(EntityId from, OperatorId op, EntityId to) const;
  /// Calls action(target) for each visible answer of op until it returns true; whether one did.
  template <class Action>
  bool any(EntityId from, OperatorId op, Action&& action) const {
    const bool touched = mask_.touches(from);
    for (const Edge& edge : graph_.edges(from, op)) {
      const auto place = static_cast<std::size_t>(&edge - graph_.edges().data());
      if (touched && mask_.hides(place)) continue;
      if (action(edge.target)) return true;
    }
    return false;
  }

  /// Whether a formula holds of an entity, found by looking at the facts around it.
  bool holds(const Formula& formula, EntityId entity) const;
  /// The facts that show that a formula holds, which it must. What there is not has none to show.
  std::vector<Fact> witness(const Formula& formula, EntityId entity) const;
  /// Calls action(entities) for walks along the operators from one entity to another, until it
  /// returns true.
  template <class Action>
  void walks(const std::vector<OperatorId>& hops, EntityId from, EntityId to,
             Action&& action) const {
    std::vector<EntityId> walk = {from};
    extend(hops, to, walk, action);
  }

 private:
  void witness(const Formula& formula, EntityId entity, std::vector<Fact>& facts) const;

  template <class Action>
  bool extend(const std::vector<OperatorId>& hops, EntityId to, std::vector<EntityId>& walk,
              Action& action) const {
    const std::size_t hop = walk.size() - 1;
    if (hop == hops.size()) return walk.back() == to && action(walk);
    const EntityId from = walk.back();
    const auto follow = [&](EntityId next) {
      walk.push_back(next);
      const bool over = extend(hops, to, walk, action);
      walk.pop_back();
      return over;
    };
    if (hop + 1 < hops.size()) return any(from, hops[hop], follow);
    return contains(from, hops[hop], to) && follow(to);
  }

  const Graph& graph_;
  const Mask& mask_;
};

}  // namespace lerpp
