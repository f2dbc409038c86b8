// SPDX-License-Identifier: Apache-2.0
#include "events/read_events.hpp"

#include <optional>

#include <fmt/format.h>

#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr const char* layout =
    "write {\"id\":…, \"events\":[[id,type]], \"entities\":[[id,type]], "
    "\"arguments\":[[event,role,entity]], \"relations\":[[entity,relation,entity]], "
    "\"order\":[[before,after]]}";

tl::unexpected<Error> malformed(std::string what, const std::string& where) {
  return fail(std::move(what), where, layout);
}

/// The texts of a list such as ["e1","Life.Die"].
Result<std::vector<std::string_view>> texts_of(const element& row, std::size_t count,
                                               std::string_view key, const std::string& where) {
  array cells;
  if (row.get_array().get(cells) != simdjson::SUCCESS || cells.size() != count) {
    return malformed(fmt::format("'{}' has an entry that is no list of {} texts", key, count),
                     where);
  }
  std::vector<std::string_view> texts;
  for (const element cell : cells) {
    std::string_view text;
    if (cell.get_string().get(text) != simdjson::SUCCESS || text.empty()) {
      return malformed(fmt::format("'{}' has an entry that is no list of {} texts", key, count),
                       where);
    }
    texts.push_back(text);
  }
  return texts;
}

/// Calls row(texts) for each entry under the key. A key that is absent is an empty list.
template <class Row>
Result<void> each_row(const object& graph, std::string_view key, std::size_t count,
                      const std::string& where, Row&& row) {
  element value;
  if (graph[key].get(value) != simdjson::SUCCESS || value.is_null()) return {};
  array rows;
  if (value.get_array().get(rows) != simdjson::SUCCESS) {
    return malformed(fmt::format("'{}' is no list", key), where);
  }
  for (const element entry : rows) {
    LERP_TRY(texts, texts_of(entry, count, key, where));
    LERP_CHECK(row(texts));
  }
  return {};
}

Result<void> read_nodes(const object& object_, std::string_view key, const std::string& where,
                        Vocabulary& ids, Vocabulary& types, std::vector<LabelId>& nodes) {
  return each_row(object_, key, 2, where, [&](const auto& texts) -> Result<void> {
    if (ids.intern(texts[0]) != nodes.size()) {
      return fail(fmt::format("{} stands twice under '{}'", quoted(texts[0]), key), where,
                  "give every event and every entity an id of its own");
    }
    nodes.push_back(types.intern(texts[1]));
    return {};
  });
}

Result<std::uint32_t> known(const Vocabulary& ids, std::string_view id, std::string_view key,
                            const std::string& where) {
  const std::optional<Vocabulary::Id> found = ids.find(id);
  if (found) return *found;
  return fail(fmt::format("'{}' names {}, which the graph does not hold", key, quoted(id)), where,
              "list it under 'events' or 'entities', or drop the entry");
}

Result<void> read_links(const object& object_, std::string_view key, const std::string& where,
                        const Vocabulary& from, const Vocabulary& to, Vocabulary& labels,
                        std::vector<EventLink>& links) {
  return each_row(object_, key, 3, where, [&](const auto& texts) -> Result<void> {
    LERP_TRY(start, known(from, texts[0], key, where));
    LERP_TRY(end, known(to, texts[2], key, where));
    links.push_back({start, labels.intern(texts[1]), end});
    return {};
  });
}

Result<void> read_graph(const object& object_, const std::string& where, EventReading& reading) {
  element ignored;
  if (object_["events"].get(ignored) != simdjson::SUCCESS) {
    return malformed("this is neither an event graph nor an SDF document", where);
  }
  EventGraph graph;
  std::string_view text;
  if (object_["id"].get_string().get(text) == simdjson::SUCCESS) graph.id = text;
  if (object_["scenario"].get_string().get(text) == simdjson::SUCCESS && !text.empty()) {
    graph.scenario = reading.names.scenarios.intern(text);
  }
  EventNames& names = reading.names;
  Vocabulary events;
  Vocabulary entities;
  LERP_CHECK(read_nodes(object_, "events", where, events, names.event_types, graph.events));
  LERP_CHECK(read_nodes(object_, "entities", where, entities, names.entity_types, graph.entities));
  LERP_CHECK(
      read_links(object_, "arguments", where, events, entities, names.roles, graph.arguments));
  LERP_CHECK(read_links(object_, "relations", where, entities, entities, names.relations,
                        graph.relations));
  LERP_CHECK(each_row(object_, "order", 2, where, [&](const auto& texts) -> Result<void> {
    LERP_TRY(before, known(events, texts[0], "order", where));
    LERP_TRY(after, known(events, texts[1], "order", where));
    graph.order.push_back({before, after});
    return {};
  }));
  reading.graphs.push_back(std::move(graph));
  return {};
}

Result<void> read_document(simdjson::dom::parser& parser, std::string_view text,
                           const std::string& where, EventReading& reading) {
  element document;
  if (const auto code = parser.parse(text.data(), text.size()).get(document);
      code != simdjson::SUCCESS) {
    return malformed(fmt::format("this is not JSON, {}", one_line(simdjson::error_message(code))),
                     where);
  }
  object fields;
  if (document.get_object().get(fields) != simdjson::SUCCESS) {
    return malformed("this is not a JSON object", where);
  }
  const std::size_t before = reading.graphs.size();
  element schemas;
  if (fields["schemas"].get(schemas) == simdjson::SUCCESS) {
    LERP_CHECK(read_sdf(fields, where, reading));
  } else {
    LERP_CHECK(read_graph(fields, where, reading));
  }
  for (std::size_t i = before; i < reading.graphs.size(); ++i) {
    if (in_order(reading.graphs[i]).cyclic == 0) continue;
    if (reading.cyclic++ == 0) reading.first_cyclic = reading.graphs[i].id;
  }
  return {};
}

bool is_json(simdjson::dom::parser& parser, std::string_view text) {
  // Of nothing simdjson would copy from nowhere.
  return !text.empty() && parser.parse(text.data(), text.size()).error() == simdjson::SUCCESS;
}

}  // namespace

Result<void> read_events(std::string_view text, const std::string& where, EventReading& reading) {
  LERP_CHECK(check_utf8(text, where));
  text = without_bom(text);
  simdjson::dom::parser parser;
  std::string_view rest = text;
  std::string_view first;
  while (!rest.empty() && is_blank(first)) first = take_line(rest);
  // A document that was laid out for people spans lines; of those there is one in a file.
  if (!is_json(parser, first) && is_json(parser, text)) {
    return read_document(parser, text, where, reading);
  }
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (is_blank(line)) continue;
    LERP_CHECK(read_document(parser, line, at_line(where, number), reading));
  }
  return {};
}

}  // namespace lerpp::formats
