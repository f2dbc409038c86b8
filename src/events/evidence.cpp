// SPDX-License-Identifier: Apache-2.0
#include "events/evidence.hpp"

#include <cmath>
#include <map>

namespace lerpp {
namespace {

class Collector {
 public:
  void add(std::size_t row, double value) {
    evidence.push_back({static_cast<std::uint32_t>(row), value});
  }
  /// For each label that was counted: that it is there, and the logarithm of how often.
  void add_counts(const std::vector<double>& counts, std::size_t held_row, std::size_t count_row) {
    for (std::size_t label = 0; label < counts.size(); ++label) {
      if (counts[label] == 0) continue;
      add(held_row + label, 1);
      add(count_row + label, std::log1p(counts[label]));
    }
  }

  std::vector<Evidence> evidence;
};

std::vector<double> type_counts(const EventGraph& graph, LabelId types) {
  std::vector<double> counts(types);
  for (const LabelId type : graph.events) {
    if (type < types) ++counts[type];
  }
  return counts;
}

/// Adds the groups of the graph whose nodes were added last.
void add_groups(NodeGraph& nodes, std::size_t events, LabelId event_types) {
  const std::size_t first = nodes.starts.back();
  std::map<LabelId, std::uint32_t> groups;  // first their sizes, then their numbers
  for (std::size_t node = first; node < first + events; ++node) {
    if (nodes.types[node] < event_types) ++groups[nodes.types[node]];
  }
  nodes.group_starts.push_back(static_cast<std::uint32_t>(nodes.group_types.size()));
  for (auto& [type, group] : groups) {
    nodes.group_sizes.push_back(group);
    group = static_cast<std::uint32_t>(nodes.group_types.size());
    nodes.group_types.push_back(type);
  }
  nodes.group_of.resize(nodes.types.size(), NodeGraph::no_group);
  for (std::size_t node = first; node < first + events; ++node) {
    if (nodes.types[node] < event_types) nodes.group_of[node] = groups[nodes.types[node]];
  }
}

}  // namespace

NodeGraph node_graph(std::span<const EventGraph> graphs, const EventShape& shape) {
  const EventSizes& known = shape.sizes;
  NodeGraph result;
  std::vector<Fact> facts;
  for (const EventGraph& graph : graphs) {
    const auto first = static_cast<EntityId>(result.types.size());
    result.starts.push_back(first);
    for (const LabelId type : graph.events) {
      result.types.push_back(type < known.event_types ? type : shape.node_types());
    }
    for (const LabelId type : graph.entities) {
      result.types.push_back(type < known.entity_types ? known.event_types + type
                                                       : shape.node_types());
    }
    add_groups(result, graph.events.size(), known.event_types);
    const EntityId entities = first + static_cast<EntityId>(graph.events.size());
    for (const EventLink& link : graph.arguments) {
      if (link.label >= known.roles) continue;
      facts.push_back({first + link.from, link.label, entities + link.to});
    }
    for (const EventLink& link : graph.relations) {
      if (link.label >= known.relations) continue;
      facts.push_back({entities + link.from, known.roles + link.label, entities + link.to});
    }
    for (const EventOrder& order : graph.order) {
      facts.push_back({first + order.before, shape.before(), first + order.after});
    }
  }
  result.starts.push_back(static_cast<EntityId>(result.types.size()));
  result.group_starts.push_back(static_cast<std::uint32_t>(result.group_types.size()));
  result.graph = Graph(result.starts.back(), shape.relations(), {facts}, 1);
  return result;
}

std::vector<Evidence> plain_evidence(const EventGraph& graph, const EventShape& shape) {
  Collector collector;
  collector.add(shape.bias_row(), 1);
  if (shape.types) {
    collector.add_counts(type_counts(graph, shape.sizes.event_types), shape.held_row(),
                         shape.count_row());
  }
  if (shape.last) {
    std::vector<bool> follows(graph.events.size());
    std::vector<bool> precedes(graph.events.size());
    for (const EventOrder& order : graph.order) {
      precedes[order.before] = true;
      follows[order.after] = true;
    }
    std::vector<bool> held(shape.sizes.event_types);
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
      const LabelId type = graph.events[i];
      if (type >= held.size() || held[type] || precedes[i] || !follows[i]) continue;
      held[type] = true;
      collector.add(shape.last_row() + type, 1);
    }
  }
  if (shape.idle) {
    std::vector<bool> takes_part(graph.entities.size());
    for (const EventLink& link : graph.arguments) takes_part[link.to] = true;
    std::vector<double> counts(shape.sizes.entity_types);
    for (std::size_t i = 0; i < graph.entities.size(); ++i) {
      if (!takes_part[i] && graph.entities[i] < counts.size()) ++counts[graph.entities[i]];
    }
    collector.add_counts(counts, shape.idle_row(), shape.idle_count_row());
  }
  if (shape.scenario && graph.scenario < shape.sizes.scenarios) {
    collector.add(shape.scenario_row() + graph.scenario, 1);
  }
  return std::move(collector.evidence);
}

std::vector<Repeat> repeats(const EventGraph& graph, const EventShape& shape) {
  std::vector<Repeat> result;
  if (!shape.repeats) return result;
  const std::vector<double> counts = type_counts(graph, shape.heads);
  const auto events = static_cast<double>(graph.events.size());
  for (LabelId head = 0; head < counts.size(); ++head) {
    if (counts[head] == 0) continue;
    result.push_back({head, {1, std::log1p(counts[head]), counts[head] / events}});
  }
  return result;
}

}  // namespace lerpp
