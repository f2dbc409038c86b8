// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "events/read_events.hpp"

namespace lerpp {

/// Graphs from JSON lines, as a test writes them.
inline formats::EventReading read_lines(const std::string& text) {
  formats::EventReading reading;
  const Result<void> read = formats::read_events(text, "test", reading);
  if (!read) throw std::runtime_error(to_string(read.error()));
  return reading;
}

inline std::string error_of(const std::string& text) {
  formats::EventReading reading;
  const Result<void> read = formats::read_events(text, "file", reading);
  return read ? "" : to_string(read.error());
}

/// An attack, then a death, whose victim is arrested: three events, one person.
inline const char* const small_story =
    R"({"id":"s","scenario":"war","events":[["a","Attack"],["d","Die"],["j","Arrest"]],)"
    R"("entities":[["p","PER"],["q","PER"]],"arguments":[["a","Target","p"],["d","Victim","p"],)"
    R"(["j","Detainee","q"]],"relations":[["p","Knows","q"]],"order":[["a","d"],["a","j"]]})";

/// Any graph over few labels, cycles included.
inline EventGraph random_event_graph(std::size_t most_events = 6) {
  EventGraph graph;
  const auto below = [](std::size_t bound) {
    return *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(bound));
  };
  graph.events.resize(below(most_events + 1));
  graph.entities.resize(below(5));
  for (LabelId& type : graph.events) type = below(3);
  for (LabelId& type : graph.entities) type = below(2);
  if (!graph.events.empty()) {
    for (std::uint32_t i = below(8); i > 0; --i) {
      graph.order.push_back({below(graph.events.size()), below(graph.events.size())});
    }
  }
  if (!graph.events.empty() && !graph.entities.empty()) {
    for (std::uint32_t i = below(8); i > 0; --i) {
      graph.arguments.push_back(
          {below(graph.events.size()), below(2), below(graph.entities.size())});
    }
    graph.relations.push_back({below(graph.entities.size()), 0, below(graph.entities.size())});
  }
  return graph;
}

inline constexpr EventSizes random_sizes = {3, 2, 2, 1, 1};

}  // namespace lerpp
