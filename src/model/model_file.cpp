// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "model/relation_names.hpp"
#include "model/safetensors.hpp"
#include "model/scopes_file.hpp"
#include "model/terms.hpp"

namespace lerpp {
namespace {

using safetensors::Entry;
using safetensors::File;
using safetensors::in_quotes;

constexpr const char* format_name = "lerp-model";
// Version 1 is the paper's model. What goes beyond it needs a reader that knows of it.
constexpr std::uint32_t paper_version = 1;
constexpr std::uint32_t evidence_version = 2;
constexpr std::uint32_t pairs_version = 3;  // had rules without a path; is no longer read
constexpr std::uint32_t scopes_version = 4;
constexpr std::uint32_t plain_version = 5;
constexpr std::uint32_t format_version = plain_version;

/// How many rules have no constraints; absent where all have.
constexpr const char* plain_name = "plain";

/// The paths of each target, as numbers.
constexpr const char* codes_name = "path_codes";
/// The fingerprint of the names that an embedding is about.
constexpr const char* entities_name = "entity_names";

constexpr const char* foreign = "give the model.safetensors of a run";
constexpr const char* damaged = "the file is damaged, copy it again or train the model again";

/// On the bits: the compiler may assume that numbers are finite.
bool all_finite(std::span<const float> values) {
  constexpr std::uint32_t exponent = 0x7F800000;
  return std::none_of(values.begin(), values.end(), [](float value) {
    return (std::bit_cast<std::uint32_t>(value) & exponent) == exponent;
  });
}

Result<void> check_finite(const Parameters<float>& parameters, const std::string& where,
                          const char* remedy) {
  for (std::size_t index = 0; index < parameters.tensors().size(); ++index) {
    if (all_finite(parameters.tensor(index))) continue;
    return fail(fmt::format("the tensor {} has a value that is not a finite number",
                            in_quotes(parameters.tensors()[index].name)),
                where, remedy);
  }
  return {};
}

Result<void> check_format(const File& file) {
  LERP_CHECK(
      file.require_format(format_name, format_version,
                          {"this safetensors file holds no lerp model", file.where(), foreign}));
  return {};
}

Result<ModelShape> read_shape(const File& file, std::size_t relations) {
  // A name takes at least three of the header's 100 MB.
  assert(relations < std::numeric_limits<RelationId>::max() / 2);
  ModelShape shape;
  shape.relations = static_cast<RelationId>(relations);
  LERP_TRY(depth, file.number("depth", 0));
  LERP_TRY(width, file.number("width", depth == 0 ? 0 : 1));
  LERP_TRY(rules, file.number("rules", 1));
  LERP_TRY(scopes, read_scopes(file, shape.relations, damaged));
  shape.scopes = std::move(scopes);
  const bool beyond = file.metadata("evidence") != nullptr;
  LERP_TRY(length, file.number("length", beyond ? 0 : 1));
  shape.depth = depth;
  shape.width = width;
  shape.rules = rules;
  shape.length = length;
  if (file.metadata(plain_name) != nullptr) {
    LERP_TRY(plain, file.number(plain_name, 1, rules));
    shape.plain = plain;
  }
  if (!beyond) return shape;
  LERP_TRY(positive, file.number("positive", 0, 1));
  LERP_TRY(evidence, file.number("evidence", 0, 1));
  LERP_TRY(frontier, file.number("frontier", 0));
  LERP_TRY(embedding, file.number("embedding", 0));
  LERP_TRY(entities, file.number("entities", embedding > 0 ? 1 : 0));
  shape.positive = positive != 0;
  shape.evidence = evidence != 0;
  bool terms = false;
  for (const TermKind& kind : term_kinds()) {
    LERP_TRY(size, file.number(kind.size_name, 0, kind.most));
    shape.*kind.size = size;
    terms = terms || size > 0;
  }
  shape.frontier = frontier;
  shape.embedding = embedding;
  shape.entities = entities;
  if (file.metadata("pairs") != nullptr) {
    return fail(fmt::format("the model has rules without a path, which {} learned", file.writer()),
                file.where(), "train the model again");
  }
  if (!shape.evidence && (terms || shape.embedding > 0)) {
    return fail("there are terms of evidence, but rules that are summed", file.where(), damaged);
  }
  return shape;
}

/// What tells the entities of an embedding from others.
Result<std::string> read_entities(const File& file, const ModelShape& shape) {
  if (shape.embedding == 0) return "";
  const std::string* const text = file.metadata(entities_name);
  if (text == nullptr) {
    return fail(fmt::format("the metadata has no {}", in_quotes(entities_name)), file.where(),
                damaged);
  }
  return *text;
}

/// What a file of a later version says besides.
void describe_beyond(const Model& model, safetensors::Metadata& metadata) {
  const ModelShape& shape = model.shape();
  const auto add = [&](const char* key, std::uint32_t value) {
    metadata.emplace_back(key, std::to_string(value));
  };
  add("positive", shape.positive ? 1 : 0);
  add("evidence", shape.evidence ? 1 : 0);
  add("prior", shape.prior ? 1 : 0);
  add("paths", shape.paths);
  add("constants", shape.constants ? 1 : 0);
  add("frontier", shape.frontier);
  add("embedding", shape.embedding);
  add("entities", shape.entities);
  if (shape.embedding > 0) metadata.emplace_back(entities_name, model.entities);
}

/// Whether the paper's sizes say everything of a shape.
bool is_paper(const ModelShape& shape) {
  ModelShape plain;
  plain.relations = shape.relations;
  plain.width = shape.width;
  plain.depth = shape.depth;
  plain.rules = shape.rules;
  plain.length = shape.length;
  plain.plain = shape.plain;
  plain.scopes = shape.scopes;
  return plain == shape;
}

std::uint32_t version_of(const ModelShape& shape) {
  if (shape.plain > 0) return plain_version;
  if (shape.scopes.known()) return scopes_version;
  return is_paper(shape) ? paper_version : evidence_version;
}

/// The tensors of the file in the order of tensors_of(). Nothing as large as the shape claims is
/// allocated before the file is known to hold it.
Result<std::vector<const Entry*>> match_tensors(const File& file, const ModelShape& shape) {
  if (shape.depth > file.entries().size()) {
    return fail(
        fmt::format("depth is {}, but there are {} tensors", shape.depth, file.entries().size()),
        file.where(), damaged);
  }
  const Entry* const a = file.find("a");
  if (a != nullptr && a->shape.size() == 4 && a->shape[0] != shape.operators()) {
    return fail(fmt::format("there are {} names of relations, but weights for {} targets instead "
                            "of {}",
                            shape.relations, a->shape[0], shape.operators()),
                file.where(), damaged);
  }
  std::vector<const Entry*> entries;
  std::unordered_set<std::string_view> known;
  const std::vector<Tensor> tensors = tensors_of(shape);
  for (const Tensor& tensor : tensors) {
    LERP_TRY(entry, file.require(tensor.name, safetensors::Type::f32, tensor.dimensions));
    entries.push_back(entry);
    known.insert(tensor.name);
  }
  if (shape.paths > 0) known.insert(codes_name);
  for (const Entry& entry : file.entries()) {
    if (known.contains(entry.name) || is_scope_tensor(entry.name)) continue;
    return fail(fmt::format("the tensor {} is none of this model", in_quotes(entry.name)),
                file.where(), damaged);
  }
  return entries;
}

/// How many paths each target has room for.
std::vector<std::uint32_t> path_counts(const ModelShape& shape) {
  std::vector<std::uint32_t> counts(shape.operators(), shape.paths);
  if (!shape.scopes.known()) return counts;
  for (OperatorId target = 0; target < shape.operators(); ++target)
    counts[target] = shape.scopes.path_count(target);
  return counts;
}

std::vector<std::size_t> path_dimensions(const ModelShape& shape) {
  if (!shape.scopes.known()) return {shape.operators(), shape.paths};
  return {shape.scopes.paths_before(shape.operators())};
}

Result<std::shared_ptr<const PathTable>> read_paths(const File& file, const ModelShape& shape) {
  if (shape.paths == 0) return nullptr;
  LERP_TRY(entry, file.require(codes_name, safetensors::Type::u64, path_dimensions(shape)));
  std::vector<std::uint64_t> codes(entry->bytes.size() / sizeof(std::uint64_t));
  safetensors::copy<std::uint64_t>(*entry, codes);
  auto table = PathTable::from_flat(shape.relations, shape.paths, path_counts(shape), codes);
  if (!table) return fail(table.error().what, file.where(), damaged);
  return std::make_shared<const PathTable>(std::move(*table));
}

Result<Model> model_of(const File& file) {
  LERP_CHECK(check_format(file));
  Model model;
  LERP_TRY(names, read_names(file, damaged));
  LERP_TRY(shape, read_shape(file, names.size()));
  LERP_TRY(entries, match_tensors(file, shape));
  LERP_TRY(paths, read_paths(file, shape));
  LERP_TRY(entities, read_entities(file, shape));
  model.entities = std::move(entities);
  model.paths = std::move(paths);
  model.relations = std::move(names);
  model.parameters = Parameters<float>(shape);
  for (std::size_t index = 0; index < entries.size(); ++index) {
    safetensors::copy(*entries[index], model.parameters.tensor(index));
  }
  LERP_CHECK(check_finite(model.parameters, file.where(), "train the model again"));
  return model;
}

}  // namespace

Result<void> save_model(const Model& model, const std::filesystem::path& path) {
  const ModelShape& shape = model.shape();
  assert(model.relations.size() == shape.relations);
  // A good file must not be replaced by one that cannot be loaded.
  LERP_CHECK(check_finite(model.parameters, path.string(), "lower the learning rate"));
  safetensors::Metadata metadata = {
      {"format", format_name},
      {"version", std::to_string(version_of(shape))},
      {"width", std::to_string(shape.width)},
      {"depth", std::to_string(shape.depth)},
      {"rules", std::to_string(shape.rules)},
      {"length", std::to_string(shape.length)},
      {"relations", names_to_text(model.relations)},
  };
  if (shape.plain > 0) metadata.emplace_back(plain_name, std::to_string(shape.plain));
  if (!is_paper(shape)) describe_beyond(model, metadata);
  std::vector<Entry> entries;
  for (std::size_t index = 0; index < model.parameters.tensors().size(); ++index) {
    const Tensor& tensor = model.parameters.tensors()[index];
    entries.push_back(
        safetensors::entry(tensor.name, tensor.dimensions, model.parameters.tensor(index)));
  }
  std::vector<std::uint64_t> codes;
  if (model.paths) {
    codes = model.paths->flat(path_counts(shape));
    entries.push_back(safetensors::entry<std::uint64_t>(codes_name, path_dimensions(shape), codes));
  }
  const ScopeTensors scopes(shape.scopes);
  for (const Entry& entry : scopes.entries()) entries.push_back(entry);
  return safetensors::write(path, metadata, entries);
}

Result<Model> parse_model(FileBytes bytes, const std::string& where) {
  LERP_TRY(file, File::parse(std::move(bytes), where));
  return model_of(file);
}

Result<Model> load_model(const std::filesystem::path& path) {
  LERP_TRY(file, File::read(path));
  return model_of(file);
}

}  // namespace lerpp
