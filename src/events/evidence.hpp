// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lerp/events/model.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {

/// Event graphs as the functions see them, side by side in one graph: of each the events, then the
/// entities.
struct NodeGraph {
  std::vector<LabelId> types;    ///< an unknown type is the number of known ones
  std::vector<EntityId> starts;  ///< the first node of each event graph, and one more
  Graph graph;
  // The events of a type in an event graph are a group.
  std::vector<std::uint32_t> group_of;      ///< of each node; entities and unknown types have none
  std::vector<std::uint32_t> group_starts;  ///< the first group of each event graph, and one more
  std::vector<LabelId> group_types;         ///< of each group; rising within a graph
  std::vector<std::uint32_t> group_sizes;

  static constexpr std::uint32_t no_group = ~std::uint32_t{0};
  EntityId nodes(std::size_t of) const { return starts[of + 1] - starts[of]; }
};

/// What the model does not know, it does not see: a node of an unknown type has none, a link with
/// an unknown label is not there.
NodeGraph node_graph(std::span<const EventGraph> graphs, const EventShape& shape);

/// A piece of evidence that needs no function: a row of the weights, and by how much.
struct Evidence {
  std::uint32_t row = 0;
  double value = 0;
};

std::vector<Evidence> plain_evidence(const EventGraph& graph, const EventShape& shape);

/// That the type of a head is in the graph: what the weights shared by all heads are multiplied
/// with.
struct Repeat {
  LabelId head = 0;
  std::array<double, 3> values = {};  ///< 1, the logarithm of how often, the share of the events
};

std::vector<Repeat> repeats(const EventGraph& graph, const EventShape& shape);

}  // namespace lerpp
