// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/events/model.hpp>

#include "model/safetensors.hpp"

namespace lerpp {
namespace {

constexpr const char* format_name = "lerp-events";
constexpr std::uint32_t format_version = 2;

struct NamedList {
  const char* key;
  Vocabulary EventNames::*names;
};

constexpr NamedList lists[] = {{"event_types", &EventNames::event_types},
                               {"entity_types", &EventNames::entity_types},
                               {"roles", &EventNames::roles},
                               {"relations", &EventNames::relations},
                               {"scenarios", &EventNames::scenarios}};

tl::unexpected<Error> damaged(const char* what, const std::string& where) {
  return fail(what, where, "train the model again");
}

/// The first names of a list, those that the model knows.
Json list_of(const Vocabulary& names, LabelId known) {
  Json list = Json::array();
  for (LabelId id = 0; id < known; ++id) list.push_back(std::string(names.name(id)));
  return list;
}

Result<void> read_list(const Json& json, const std::string& where, Vocabulary& names) {
  if (!json.is_array()) return damaged("the model file has no list of names", where);
  for (const Json& name : json) {
    if (!name.is_string() || names.intern(name.get<std::string>()) + 1 != names.size()) {
      return damaged("the model file has a damaged list of names", where);
    }
  }
  return {};
}

Result<void> read_options(const Json& json, const std::string& where, EventOptions& options) {
  if (!json.is_object()) return damaged("the model file has no options", where);
  for (const auto& [name, value] : json.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (!set_option(options, name, text)) {
      return damaged("the model file has options of another version", where);
    }
  }
  return check_options(options);
}

}  // namespace

Result<void> save_event_model(const EventModel& model, const std::filesystem::path& path) {
  const EventSizes& sizes = model.shape.sizes;
  const LabelId known[] = {sizes.event_types, sizes.entity_types, sizes.roles, sizes.relations,
                           sizes.scenarios};
  Json names = Json::object();
  for (std::size_t i = 0; i < std::size(lists); ++i) {
    names[lists[i].key] = list_of(model.names.*lists[i].names, known[i]);
  }
  const safetensors::Metadata metadata = {{"format", format_name},
                                          {"version", std::to_string(format_version)},
                                          {"data", model.data},
                                          {"names", names.dump()},
                                          {"options", options_to_json(model.options).dump()}};
  const safetensors::Entry entries[] = {safetensors::entry<float>(
      "parameters", {model.parameters.size()}, std::span<const float>(model.parameters))};
  return safetensors::write(path, metadata, entries);
}

Result<EventModel> load_event_model(const std::filesystem::path& path) {
  LERP_TRY(file, safetensors::File::read(path));
  const auto text = [&](const char* key) {
    const std::string* const found = file.metadata(key);
    return found == nullptr ? std::string() : *found;
  };
  LERP_TRY(version, file.require_format(format_name, format_version,
                                        {"this safetensors file holds no model of event graphs",
                                         file.where(), "give a run of lerp events train"}));
  if (version < format_version) {
    return fail(
        fmt::format("version {} of models of event graphs, which {} wrote, is no longer read",
                    version, file.writer()),
        file.where(), "train the model again");
  }
  EventModel model;
  model.data = text("data");
  const Json names = Json::parse(text("names"), nullptr, false);
  if (!names.is_object()) return damaged("the model file has no names", path.string());
  for (const NamedList& list : lists) {
    LERP_CHECK(read_list(names.value(list.key, Json()), path.string(), model.names.*list.names));
  }
  LERP_CHECK(
      read_options(Json::parse(text("options"), nullptr, false), path.string(), model.options));
  const EventSizes sizes = model.names.sizes();
  model.shape = event_shape(model.options, sizes, sizes.event_types);
  model.parameters.resize(model.shape.parameters());
  LERP_TRY(entry, file.require("parameters", safetensors::Type::f32, {model.parameters.size()}));
  safetensors::copy(*entry, std::span<float>(model.parameters));
  for (const float value : model.parameters) {
    if (!std::isfinite(value)) {
      return damaged("the model file holds what is no number", path.string());
    }
  }
  return model;
}

}  // namespace lerpp
