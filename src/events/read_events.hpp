// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include <lerp/base/error.hpp>
#include <lerp/events/event_graph.hpp>

namespace lerpp::formats {

/// What the readers of event graphs fill.
struct EventReading {
  EventNames names;
  std::vector<EventGraph> graphs;
  std::size_t loose = 0;   ///< references of SDF documents to what the document does not hold
  std::size_t cyclic = 0;  ///< graphs whose order goes in a circle
  std::string first_cyclic;
};

/// JSON lines or one document that spans lines; each document is an event graph of ours or a KAIROS
/// SDF document, told by its keys. `where` names the text in errors.
Result<void> read_events(std::string_view text, const std::string& where, EventReading& reading);

/// One SDF document, 0.92: every schema in it is a graph. Types and roles go by the last part of
/// their path.
Result<void> read_sdf(const simdjson::dom::object& document, const std::string& where,
                      EventReading& reading);

/// The last part of a path such as kairos:Primitives/Events/Life.Die.Unspecified.
std::string_view last_segment(std::string_view path);

}  // namespace lerpp::formats
