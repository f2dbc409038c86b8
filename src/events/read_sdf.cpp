// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "events/read_events.hpp"
#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

/// Calls action for the element, or for each of them where it is a list.
template <class Action>
void each(const element& value, Action&& action) {
  array items;
  if (value.get_array().get(items) != simdjson::SUCCESS) {
    action(value);
    return;
  }
  for (const element item : items) action(item);
}

template <class Action>
void each(const object& parent, std::string_view key, Action&& action) {
  element value;
  if (parent[key].get(value) == simdjson::SUCCESS) each(value, std::forward<Action>(action));
}

/// The text under the key, or the first of a list of texts.
std::string_view text_at(const object& parent, std::string_view key) {
  std::string_view result;
  each(parent, key, [&](const element& value) {
    std::string_view text;
    if (result.empty() && value.get_string().get(text) == simdjson::SUCCESS) result = text;
  });
  return result;
}

class SchemaReader {
 public:
  SchemaReader(const object& schema, const std::string& where, EventReading& reading)
      : schema_(schema), where_(where), reading_(reading) {}

  Result<void> read() {
    graph_.id = text_at(schema_, "@id");
    objects("entities", [&](const object& entity) {
      add_entity(text_at(entity, "@id"), text_at(entity, "entityTypes"));
    });
    objects("steps", [&](const object& step) { read_step(step); });
    objects("order", [&](const object& order) { read_order(order); });
    objects("entityRelations", [&](const object& relation) { read_relation(relation); });
    if (!problem_.empty()) {
      return fail(problem_, where_, "give every step an @id of its own and an @type");
    }
    reading_.graphs.push_back(std::move(graph_));
    return {};
  }

 private:
  template <class Action>
  void objects(std::string_view key, Action&& action) {
    each(schema_, key, [&](const element& value) {
      object fields;
      if (value.get_object().get(fields) == simdjson::SUCCESS) action(fields);
    });
  }

  std::optional<std::uint32_t> add_entity(std::string_view id, std::string_view type) {
    if (id.empty()) return std::nullopt;
    const std::uint32_t entity = entities_.intern(id);
    if (entity == graph_.entities.size()) {
      const std::string_view name = last_segment(type);
      graph_.entities.push_back(
          reading_.names.entity_types.intern(name.empty() ? "unknown" : name));
    }
    return entity;
  }

  void read_step(const object& step) {
    const std::string_view id = text_at(step, "@id");
    const std::string_view type = last_segment(text_at(step, "@type"));
    if (id.empty() || type.empty()) {
      problem_ = "a step of the document has no @id or no @type";
      return;
    }
    const std::uint32_t event = events_.intern(id);
    if (event != graph_.events.size()) {
      problem_ = fmt::format("the step {} stands twice", quoted(id));
      return;
    }
    graph_.events.push_back(reading_.names.event_types.intern(type));
    each(step, "participants", [&](const element& value) {
      object participant;
      if (value.get_object().get(participant) == simdjson::SUCCESS) {
        read_participant(event, participant);
      }
    });
  }

  /// In a graph of what happened a participant lists the entities that fill it; in a schema it is
  /// itself the one that takes part.
  void read_participant(std::uint32_t event, const object& participant) {
    const std::string_view role = last_segment(text_at(participant, "role"));
    if (role.empty()) return;
    const LabelId label = reading_.names.roles.intern(role);
    const auto add = [&](std::string_view id, std::string_view type) {
      if (const auto entity = add_entity(id, type)) {
        graph_.arguments.push_back({event, label, *entity});
      }
    };
    element values;
    if (participant["values"].get(values) != simdjson::SUCCESS) {
      add(text_at(participant, "@id"), text_at(participant, "entityTypes"));
      return;
    }
    each(values, [&](const element& value) {
      object fields;
      if (value.get_object().get(fields) == simdjson::SUCCESS) {
        add(text_at(fields, "entity"), text_at(fields, "entityTypes"));
      }
    });
  }

  void read_order(const object& order) {
    for_pairs(order, "before", order, "after", events_, [&](std::uint32_t a, std::uint32_t b) {
      graph_.order.push_back({a, b});
    });
  }

  void read_relation(const object& entry) {
    each(entry, "relations", [&](const element& value) {
      object relation;
      if (value.get_object().get(relation) != simdjson::SUCCESS) return;
      const std::string_view name = last_segment(text_at(relation, "relationPredicate"));
      if (name.empty()) return;
      const LabelId label = reading_.names.relations.intern(name);
      for_pairs(entry, "relationSubject", relation, "relationObject", entities_,
                [&](std::uint32_t a, std::uint32_t b) {
                  graph_.relations.push_back({a, label, b});
                });
    });
  }

  /// Every id under one key with every id under the other. Libraries of schemas refer to slots of
  /// other schemas, so an unknown id is counted and passed over.
  template <class Action>
  void for_pairs(const object& left, std::string_view left_key, const object& right,
                 std::string_view right_key, const Vocabulary& ids, Action&& action) {
    const auto found = [&](const element& value) -> std::optional<Vocabulary::Id> {
      std::string_view id;
      if (value.get_string().get(id) != simdjson::SUCCESS) return std::nullopt;
      const auto place = ids.find(id);
      if (!place) ++reading_.loose;
      return place;
    };
    each(left, left_key, [&](const element& first) {
      const auto from = found(first);
      if (!from) return;
      each(right, right_key, [&](const element& second) {
        if (const auto to = found(second)) action(*from, *to);
      });
    });
  }

  const object& schema_;
  const std::string& where_;
  EventReading& reading_;
  EventGraph graph_;
  Vocabulary events_;
  Vocabulary entities_;
  std::string problem_;
};

}  // namespace

std::string_view last_segment(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Result<void> read_sdf(const object& document, const std::string& where, EventReading& reading) {
  array schemas;
  if (document["schemas"].get_array().get(schemas) != simdjson::SUCCESS) {
    return fail("'schemas' is no list", where, "give a KAIROS SDF document of version 0.92");
  }
  for (const element schema : schemas) {
    object fields;
    if (schema.get_object().get(fields) != simdjson::SUCCESS) {
      return fail("an entry of 'schemas' is no object", where,
                  "give a KAIROS SDF document of version 0.92");
    }
    LERP_CHECK(SchemaReader(fields, where, reading).read());
  }
  return {};
}

}  // namespace lerpp::formats
