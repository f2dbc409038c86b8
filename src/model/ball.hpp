// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/graph.hpp>

#include "model/entity_map.hpp"
#include "model/kernels.hpp"

namespace lerpp {

/// What a query can reach in K hops, as a small graph of its own. The identity operator nests the
/// frontiers, so one list of nodes in the order of discovery serves every hop: after k hops, the
/// first `within[k]` of them may hold something. The start is node 0.
struct Ball {
  std::vector<EntityId> nodes;      ///< entity of each node
  std::vector<std::size_t> within;  ///< nodes at distance <= k, for k = 0..K
  std::vector<std::size_t> starts;  ///< of the edges of each expanded node, and one more
  std::vector<Edge> edges;          ///< targets are nodes

  /// Whether every node's edges are here, and so, turned round, all edges that lead to a node.
  bool whole = false;

  kernels::BallView view() const { return {starts.data(), edges.data()}; }
};

/// Finds balls; one for each worker, since it remembers which entities it has seen.
class BallFinder {
 public:
  explicit BallFinder(const Graph& graph)
      : graph_(graph), place_(graph.entities(), kernels::no_slot) {}

  struct Limits {
    std::uint32_t hops = 0;
    std::size_t most = 0;      ///< nodes
    std::size_t frontier = 0;  ///< only so many nodes, the nearest, have edges; 0 is all
    /// Edges in all: hubs have some of theirs, evenly spread, and who comes later none; 0 is all.
    std::size_t edges = 0;
  };
  /// Fills the ball around an entity, without hidden edges. Returns false, with the ball
  /// unfinished, when it would hold more than limits.most nodes.
  bool find(EntityId start, const Limits& limits, const Mask* mask, Ball& ball);

 private:
  const Graph& graph_;
  EntityMap<std::uint32_t> place_;
};

/// The whole graph as a ball: what serves when a query reaches most of it anyway. Nodes are
/// entities, and the start is its own node.
void whole_ball(const Graph& graph, const Mask* mask, std::uint32_t hops, Ball& ball);

}  // namespace lerpp
