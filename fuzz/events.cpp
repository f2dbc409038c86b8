// SPDX-License-Identifier: Apache-2.0
#include "events/read_events.hpp"
#include "fuzz.hpp"

namespace {

using namespace lerpp;

void check_links(const std::vector<EventLink>& links, std::size_t from, LabelId labels,
                 std::size_t to) {
  for (const EventLink& link : links) {
    fuzz::require(link.from < from && link.label < labels && link.to < to);
  }
}

/// Every number of a graph stands for something.
void check_graph(const EventGraph& graph, const EventNames& names) {
  for (const LabelId type : graph.events) fuzz::require(type < names.event_types.size());
  for (const LabelId type : graph.entities) fuzz::require(type < names.entity_types.size());
  const std::size_t events = graph.events.size();
  const std::size_t entities = graph.entities.size();
  check_links(graph.arguments, events, names.roles.size(), entities);
  check_links(graph.relations, entities, names.relations.size(), entities);
  for (const EventOrder& order : graph.order) {
    fuzz::require(order.before < events && order.after < events);
  }
  fuzz::require(in_order(graph).events.size() == events);
}

}  // namespace

LERP_FUZZ_TARGET(bytes) {
  formats::EventReading reading;
  fuzz::check(formats::read_events(bytes, "x", reading));
  for (const EventGraph& graph : reading.graphs) check_graph(graph, reading.names);
}
