#include "events/evidence.hpp"

#include <cmath>

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

}  // namespace

NodeGraph node_graph(const EventGraph& graph, const EventShape& shape) {
  const EventSizes& known = shape.sizes;
  NodeGraph result;
  result.types.reserve(graph.events.size() + graph.entities.size());
  for (const LabelId type : graph.events) {
    result.types.push_back(type < known.event_types ? type : shape.node_types());
  }
  for (const LabelId type : graph.entities) {
    result.types.push_back(type < known.entity_types ? known.event_types + type
                                                     : shape.node_types());
  }
  const auto events = static_cast<EntityId>(graph.events.size());
  std::vector<Fact> facts;
  facts.reserve(graph.arguments.size() + graph.relations.size() + graph.order.size());
  for (const EventLink& link : graph.arguments) {
    if (link.label < known.roles) facts.push_back({link.from, link.label, events + link.to});
  }
  for (const EventLink& link : graph.relations) {
    if (link.label < known.relations) {
      facts.push_back({events + link.from, known.roles + link.label, events + link.to});
    }
  }
  for (const EventOrder& order : graph.order) {
    facts.push_back({order.before, shape.before(), order.after});
  }
  result.graph = Graph(static_cast<EntityId>(result.types.size()), shape.relations(), {facts}, 1);
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
