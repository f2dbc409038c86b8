// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/kg/fact.hpp>
#include <lerp/kg/large_array.hpp>

namespace lerpp {

/// A step from an entity: `op` leads to `target`. 8 bytes; a row of them is what the engine
/// streams.
struct Edge {
  OperatorId op = 0;
  EntityId target = 0;

  auto operator<=>(const Edge&) const = default;
};

/// The sparse graph in both directions. Row e lists every (op, y) with A_op[e, y] = 1, sorted,
/// where a fact (s, r, o) gives (r, o) in row s and (R + r, s) in row o. Since the operators are
/// closed under inversion, the one structure serves steps out of an entity and gathers into it.
class Graph {
 public:
  Graph() = default;
  /// The union of several lists of facts; a fact counts once, however often it is listed. Where the
  /// observer asks to stop, the graph holds no facts: the caller asks too.
  Graph(EntityId entities, RelationId relations, std::initializer_list<std::span<const Fact>> lists,
        unsigned threads = 0, const Observer& observer = {});

  EntityId entities() const { return entities_; }
  RelationId relations() const { return relations_; }
  OperatorId operators() const { return 2 * relations_; }
  /// Distinct facts: half the edges.
  std::size_t facts() const { return edges_.size() / 2; }
  OperatorId inverse(OperatorId op) const {
    return op < relations_ ? op + relations_ : op - relations_;
  }

  std::span<const Edge> edges() const { return edges_; }
  std::span<const Edge> edges(EntityId entity) const {
    return {edges_.data() + starts_[entity], edges_.data() + starts_[entity + 1]};
  }
  /// The answers of op from an entity, in rising order.
  std::span<const Edge> edges(EntityId entity, OperatorId op) const;
  /// Where a row starts in edges().
  std::size_t start(EntityId entity) const { return starts_[entity]; }

  bool contains(EntityId from, OperatorId op, EntityId to) const;
  bool contains(const Fact& fact) const {
    return contains(fact.subject, fact.relation, fact.object);
  }
  /// The place of an edge in edges(), which has one place more than it is long for "absent".
  std::size_t find(EntityId from, OperatorId op, EntityId to) const;

  /// Memory held, for reports.
  std::size_t bytes() const {
    return edges_.capacity() * sizeof(Edge) + starts_.capacity() * sizeof(starts_[0]);
  }

 private:
  EntityId entities_ = 0;
  RelationId relations_ = 0;
  LargeArray<std::size_t> starts_ = LargeArray<std::size_t>(1, 0);  ///< one more than entities
  LargeArray<Edge> edges_;
};

/// Facts hidden from a graph while a batch learns them, both directions. Built in time linear in
/// the batch; a traversal asks `touches` once a row, and `hides` only in the few rows that are
/// touched.
class Mask {
 public:
  explicit Mask(const Graph& graph) : graph_(&graph), touched_((graph.entities() + 63) / 64) {}

  /// Hides these facts and shows all others again. Facts that the graph does not hold are no
  /// matter.
  void hide(std::span<const Fact> facts);

  bool touches(EntityId entity) const { return (touched_[entity / 64] >> (entity % 64) & 1U) != 0; }
  /// Whether the edge at this place of graph.edges() is hidden.
  bool hides(std::size_t place) const;
  /// Entities that a hidden edge starts from.
  std::span<const EntityId> entities() const { return rows_; }
  /// The first hidden place from this one on; they come in rising order.
  const std::size_t* hidden_from(std::size_t place) const;
  /// The hidden places in rising order.
  std::span<const std::size_t> places() const { return places_; }

 private:
  const Graph* graph_;
  std::vector<std::uint64_t> touched_;  ///< one bit an entity
  std::vector<EntityId> rows_;          ///< whose bits are set
  std::vector<std::size_t> places_;
};

}  // namespace lerpp
