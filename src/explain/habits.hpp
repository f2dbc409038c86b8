// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <lerp/kg/graph.hpp>

namespace lerpp {

/// What a graph teaches of its relations as such, without any rule: whether one leads from an
/// entity to itself, how many answers an entity has, and what else those have that take part.
class Habits {
 public:
  explicit Habits(const Graph& graph);

  std::uint64_t facts(RelationId relation) const { return facts_[relation]; }
  std::uint64_t loops(RelationId relation) const { return loops_[relation]; }
  /// How likely an entity on both sides of a relation stands in it to itself.
  double loop_chance(RelationId relation) const;

  /// Entities that have at least so many answers.
  std::uint64_t having(OperatorId op, std::size_t answers) const;
  /// The share of them that has one more.
  double more(OperatorId op, std::size_t answers) const;

  /// How well an entity suits one end of a relation, by what else it takes part in: of all
  /// entities that share one of its sides, how many take part in this.
  struct Fit {
    double best = 0;         ///< by the side that speaks most for it
    double worst = 0;        ///< by the one that speaks most against it
    OperatorId against = 0;  ///< that one
  };
  /// `hidden`: so many of the entity's answers do not count.
  Fit fit(EntityId entity, OperatorId op, std::size_t hidden = 0) const;

  /// The sides of relations that an entity takes part in, in rising order.
  std::vector<OperatorId> sides(EntityId entity) const;
  /// Those, and the ones that most entities have which share one of them.
  std::vector<OperatorId> suited(EntityId entity) const;

 private:
  double share(OperatorId given, OperatorId op) const;
  std::uint64_t both(OperatorId a, OperatorId b) const;

  const Graph& graph_;
  std::vector<std::uint64_t> facts_, loops_;
  std::vector<std::vector<std::uint64_t>> having_;  ///< by operator, at least 1, 2, ... answers
  std::vector<std::uint64_t> either_;               ///< by relation, entities on both sides
  std::unordered_map<std::uint64_t, std::uint32_t> both_;
  std::vector<std::vector<OperatorId>> implied_;  ///< by operator, those that most have as well
};

}  // namespace lerpp
