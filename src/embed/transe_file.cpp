// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <lerp/embed/transe.hpp>

#include "model/relation_names.hpp"
#include "model/safetensors.hpp"

namespace lerpp {
namespace {

using safetensors::File;

constexpr const char* format_name = "lerp-transe";
constexpr std::uint32_t format_version = 1;
constexpr const char* damaged = "the file is damaged, copy it again or train the embedding again";

Result<TransEShape> read_shape(const File& file, std::size_t relations) {
  LERP_CHECK(file.require_format(format_name, format_version,
                                 {"this safetensors file holds no embedding", file.where(),
                                  "give the model.safetensors of a run of lerp embed"}));
  LERP_TRY(entities, file.number("entities"));
  LERP_TRY(dimension, file.number("dimension"));
  LERP_TRY(width, file.number("width"));
  LERP_TRY(depth, file.number("depth"));
  if (dimension == 0 || (width == 0) != (depth == 0) || depth > file.entries().size()) {
    return fail(fmt::format("there is no embedding of dimension {}, width {} and depth {}",
                            dimension, width, depth),
                file.where(), damaged);
  }
  return TransEShape{entities, static_cast<RelationId>(relations), dimension, width, depth};
}

/// A tensor of a file and where its values go.
struct Place {
  std::string name;
  std::vector<std::size_t> dimensions;
};

/// The tensors of a shape: the functions', then entity, relation and rotation.
std::vector<Place> places_of(const TransEShape& shape) {
  std::vector<Place> places;
  for (const Tensor& tensor : tensors_of(shape.functions())) {
    if (tensor.owner == Owner::functions) places.push_back({tensor.name, tensor.dimensions});
  }
  places.push_back({"entity", {shape.entities, shape.dimension}});
  places.push_back({"relation", {shape.operators(), shape.dimension}});
  if (shape.width > 0) places.push_back({"rotation", {shape.dimension, shape.width}});
  return places;
}

/// The values of places_of(), in its order.
template <class Parameters>
auto spans_of(Parameters& parameters) {
  std::vector<decltype(parameters.functions.tensor(0))> spans;
  for (std::size_t index = 0; index < parameters.functions.shared_tensors(); ++index)
    spans.push_back(parameters.functions.tensor(index));
  spans.emplace_back(parameters.entity);
  spans.emplace_back(parameters.relation);
  if (parameters.shape.width > 0) spans.emplace_back(parameters.rotation);
  return spans;
}

}  // namespace

Result<void> save_transe(const TransEModel& model, const std::filesystem::path& path) {
  const TransEShape& shape = model.parameters.shape;
  const safetensors::Metadata metadata = {{"format", format_name},
                                          {"version", std::to_string(format_version)},
                                          {"entities", std::to_string(shape.entities)},
                                          {"dimension", std::to_string(shape.dimension)},
                                          {"width", std::to_string(shape.width)},
                                          {"depth", std::to_string(shape.depth)},
                                          {"relations", names_to_text(model.relations)},
                                          {"entity_names", model.entities}};
  const std::vector<Place> places = places_of(shape);
  const auto spans = spans_of(model.parameters);
  std::vector<safetensors::Entry> entries;
  for (std::size_t i = 0; i < places.size(); ++i)
    entries.push_back(safetensors::entry<float>(places[i].name, places[i].dimensions, spans[i]));
  return safetensors::write(path, metadata, entries);
}

Result<TransEModel> load_transe(const std::filesystem::path& path) {
  LERP_TRY(file, File::read(path));
  LERP_TRY(names, read_names(file, damaged));
  LERP_TRY(shape, read_shape(file, names.size()));
  // Nothing as large as the shape claims is allocated before the file is known to hold it.
  std::vector<const safetensors::Entry*> entries;
  for (const Place& place : places_of(shape)) {
    LERP_TRY(entry, file.require(place.name, safetensors::Type::f32, place.dimensions));
    entries.push_back(entry);
  }
  TransEModel model;
  model.relations = std::move(names);
  if (const std::string* const known = file.metadata("entity_names")) model.entities = *known;
  model.parameters = TransEParameters<float>(shape);
  const auto spans = spans_of(model.parameters);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    safetensors::copy(*entries[i], spans[i]);
    for (const float value : spans[i]) {
      if (std::isfinite(value)) continue;
      return fail(fmt::format("the tensor {} has a value that is not a finite number",
                              safetensors::in_quotes(entries[i]->name)),
                  file.where(), damaged);
    }
  }
  return model;
}

}  // namespace lerpp
