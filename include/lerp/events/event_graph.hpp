// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lerp/kg/vocabulary.hpp>

/// Events that happened, who took part in them, and in which order they came.
namespace lerpp {

/// A type, role, relation or scenario, by its number in EventNames.
using LabelId = Vocabulary::Id;

/// `label(from, to)`: events and entities by their place in the graph.
struct EventLink {
  std::uint32_t from = 0;
  LabelId label = 0;
  std::uint32_t to = 0;

  auto operator<=>(const EventLink&) const = default;
};

/// One event came before another.
struct EventOrder {
  std::uint32_t before = 0;
  std::uint32_t after = 0;

  auto operator<=>(const EventOrder&) const = default;
};

struct EventGraph {
  std::string id;
  LabelId scenario = Vocabulary::none;  ///< the kind of story, where the data tells it
  std::vector<LabelId> events;          ///< the type of each
  std::vector<LabelId> entities;        ///< the type of each
  std::vector<EventLink> arguments;     ///< event, role, entity
  std::vector<EventLink> relations;     ///< entity, relation, entity
  std::vector<EventOrder> order;

  bool operator==(const EventGraph&) const = default;
};

/// How many labels of each kind there are: those of a smaller number are known.
struct EventSizes {
  LabelId event_types = 0;
  LabelId entity_types = 0;
  LabelId roles = 0;
  LabelId relations = 0;
  LabelId scenarios = 0;

  bool operator==(const EventSizes&) const = default;
};

struct EventNames {
  Vocabulary event_types;
  Vocabulary entity_types;
  Vocabulary roles;
  Vocabulary relations;
  Vocabulary scenarios;

  EventSizes sizes() const {
    return {event_types.size(), entity_types.size(), roles.size(), relations.size(),
            scenarios.size()};
  }
};

/// The graph without the events that are not kept. Entities stay, even those that took part in
/// nothing else.
EventGraph keep_events(const EventGraph& graph, const std::vector<bool>& kept);

/// The events, each after all that come before it; among those that could come next, the first in
/// the file. Time is linear but for a logarithm. Events on a cycle, and what can only follow
/// them, come last in the order of the file.
struct EventSequence {
  std::vector<std::uint32_t> events;
  std::size_t cyclic = 0;  ///< how many events of `events`, at its end, no order could place
};

EventSequence in_order(const EventGraph& graph);

}  // namespace lerpp
