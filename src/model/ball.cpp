// SPDX-License-Identifier: Apache-2.0
#include "model/ball.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lerpp {
namespace {

/// Of the edges that a ball may have, a node has at most this part.
constexpr std::size_t node_share = 8;

/// Calls `action` for the edges of an entity that are not hidden: all, or about `most` of them.
template <class Action>
void for_visible_edges(const Graph& graph, const Mask* mask, EntityId entity, Action&& action,
                       std::size_t most = std::numeric_limits<std::size_t>::max()) {
  const std::span<const Edge> edges = graph.edges(entity);
  const bool touched = mask != nullptr && mask->touches(entity);
  if (edges.size() > most) {
    for (std::size_t i = 0; i < most; ++i) {
      const std::size_t place = i * edges.size() / most;
      if (!touched || !mask->hides(graph.start(entity) + place)) action(edges[place]);
    }
    return;
  }
  if (!touched) {
    for (const Edge& edge : edges) action(edge);
    return;
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!mask->hides(graph.start(entity) + i)) action(edges[i]);
  }
}

}  // namespace

bool BallFinder::find(EntityId start, const Limits& limits, const Mask* mask, Ball& ball) {
  const std::size_t frontier =
      limits.frontier == 0 ? std::numeric_limits<std::size_t>::max() : limits.frontier;
  const std::size_t most_edges =
      limits.edges == 0 ? std::numeric_limits<std::size_t>::max() : limits.edges;
  ball.nodes.assign(1, start);
  ball.within.assign(1, 1);
  ball.starts.assign(1, 0);
  ball.edges.clear();
  ball.whole = false;
  place_[start] = 0;
  bool fits = true;
  for (std::uint32_t hop = 0; hop < limits.hops && fits; ++hop) {
    const std::size_t reached = ball.nodes.size();
    for (std::size_t node = ball.starts.size() - 1; node < reached && fits; ++node) {
      if (node >= frontier || ball.edges.size() >= most_edges) {
        ball.starts.resize(reached + 1, ball.edges.size());
        break;
      }
      const auto add = [&](const Edge& edge) {
        std::uint32_t& place = place_[edge.target];
        if (place == kernels::no_slot) {
          place = static_cast<std::uint32_t>(ball.nodes.size());
          ball.nodes.push_back(edge.target);
        }
        ball.edges.push_back({edge.op, place});
      };
      for_visible_edges(graph_, mask, ball.nodes[node], add,
                        std::max<std::size_t>(1, most_edges / node_share));
      ball.starts.push_back(ball.edges.size());
      fits = ball.nodes.size() <= limits.most;
    }
    ball.within.push_back(ball.nodes.size());
  }
  place_.forget(ball.nodes);
  return fits;
}

void whole_ball(const Graph& graph, const Mask* mask, std::uint32_t hops, Ball& ball) {
  ball.nodes.resize(graph.entities());
  std::iota(ball.nodes.begin(), ball.nodes.end(), EntityId{0});
  ball.within.assign(hops + std::size_t{1}, graph.entities());
  ball.starts.assign(1, 0);
  ball.edges.clear();
  ball.edges.reserve(graph.edges().size());
  ball.whole = true;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    for_visible_edges(graph, mask, entity, [&](const Edge& edge) { ball.edges.push_back(edge); });
    ball.starts.push_back(ball.edges.size());
  }
}

}  // namespace lerpp
