#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lerp/events/model.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {

/// A graph as the functions see it: events, then entities.
struct NodeGraph {
  std::vector<LabelId> types;  ///< an unknown type is the number of known ones
  Graph graph;
};

/// What the model does not know, it does not see: a node of an unknown type has none, a link with
/// an unknown label is not there.
NodeGraph node_graph(const EventGraph& graph, const EventShape& shape);

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
