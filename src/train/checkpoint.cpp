#include <charconv>

#include <fmt/format.h>

#include <lerp/train/run.hpp>

#include "model/embedding_parts.hpp"
#include "model/safetensors.hpp"
#include "model/scopes_file.hpp"

namespace lerpp {
namespace {

constexpr std::string_view format_name = "lerp-checkpoint";
constexpr std::string_view format_version = "3";
/// Only a state whose embedding has begun has this number.
constexpr const char* embedding_mark = "embedding.epoch";
/// Only a state of targets that share has this one.
constexpr const char* shared_mark = "shared.steps";

/// The parameter blocks of a state, with their names in the file.
template <class State>
auto blocks(State& state) {
  return std::array{std::pair{"parameters", &state.parameters}, std::pair{"best", &state.best},
                    std::pair{"first_moments", &state.adam.first},
                    std::pair{"second_moments", &state.adam.second}};
}

/// Numbers that go into the metadata, where every digit counts.
template <class State, class Visit>
void numbers(State& state, Visit&& visit) {
  visit("epoch", state.epoch);
  visit("batch", state.batch);
  visit("loss", state.loss);
  visit("epoch_seconds", state.epoch_seconds);
  visit("seconds", state.seconds);
  visit("best_epoch", state.best_epoch);
  visit("best_mrr", state.best_mrr);
}

/// What targets share, in files of runs where they do.
template <class State>
auto shared_blocks(State& state) {
  return std::array{std::pair{"shared.weights", &state.weights},
                    std::pair{"shared.first_moments", &state.first_moments},
                    std::pair{"shared.second_moments", &state.second_moments},
                    std::pair{"shared.known", &state.known}};
}

/// The same for the embedding, in files of its stage.
template <class State>
auto embedding_blocks(State& state) {
  return std::array{std::pair{"embedding.parameters", &state.parameters},
                    std::pair{"embedding.best", &state.best},
                    std::pair{"embedding.squares", &state.squares}};
}

template <class State, class Visit>
void embedding_numbers(State& state, Visit&& visit) {
  visit(embedding_mark, state.epoch);
  visit("embedding.batch", state.batch);
  visit("embedding.loss", state.loss);
  visit("embedding.epoch_seconds", state.epoch_seconds);
  visit("embedding.best_epoch", state.best_epoch);
  visit("embedding.best_mrr", state.best_mrr);
}

constexpr const char* remedy = "remove the checkpoint folder to start this run anew";

tl::unexpected<Error> damaged(std::string what, const std::string& where) {
  return fail(std::move(what), where, remedy);
}

}  // namespace

Result<void> save_checkpoint(const TrainState& state, const std::filesystem::path& path) {
  safetensors::Metadata metadata = {{"format", std::string(format_name)},
                                    {"version", std::string(format_version)}};
  const auto note = [&](const char* name, const auto& value) {
    metadata.emplace_back(name, fmt::format("{}", value));
  };
  std::vector<safetensors::Entry> entries;
  const auto add = [&](const auto& named) {
    for (const auto& [name, block] : named)
      entries.push_back(safetensors::entry<float>(name, {block->values().size()}, block->values()));
  };
  numbers(state, note);
  add(blocks(state));
  if (state.shared) {
    note(shared_mark, state.shared->steps);
    for (const auto& [name, block] : shared_blocks(*state.shared))
      entries.push_back(safetensors::entry<float>(name, {block->size()}, *block));
  }
  if (state.embedding) {
    embedding_numbers(*state.embedding, note);
    add(embedding_blocks(*state.embedding));
  }
  const ScopeTensors scopes(state.parameters.shape().scopes);
  for (const safetensors::Entry& entry : scopes.entries()) entries.push_back(entry);
  const std::vector<std::uint64_t>& steps = state.adam.steps;
  entries.push_back(safetensors::entry<std::uint64_t>("steps", {steps.size()}, steps));
  return safetensors::write(path, metadata, entries);
}

Result<TrainState> load_checkpoint(const std::filesystem::path& path, const ModelShape& sizes) {
  LERP_TRY(file, safetensors::File::read(path));
  const std::string* format = file.metadata("format");
  if (format == nullptr || *format != format_name)
    return damaged("this is not a checkpoint", path.string());
  const std::string* version = file.metadata("version");
  if (version == nullptr || *version != format_version) {
    return fail("the checkpoint is of another version", path.string(),
                "go on with the lerp that wrote it");
  }
  ModelShape shape = sizes;
  LERP_TRY(scopes, read_scopes(file, shape.relations, remedy));
  shape.scopes = std::move(scopes);
  TrainState state;
  bool readable = true;
  const auto read = [&](const char* name, auto& value) {
    const std::string* text = file.metadata(name);
    if (text == nullptr) {
      readable = false;
      return;
    }
    const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
    readable = readable && code == std::errc() && end == text->data() + text->size();
  };
  numbers(state, read);
  if (file.metadata(shared_mark) != nullptr) read(shared_mark, state.shared.emplace(shape).steps);
  if (shape.embedding > 0 && file.metadata(embedding_mark) != nullptr)
    embedding_numbers(state.embedding.emplace(), read);
  if (!readable) return damaged("the checkpoint lacks some of its numbers", path.string());
  const auto take = [&](const auto& named, const ModelShape& part) -> Result<void> {
    for (const auto& [name, block] : named) {
      *block = Parameters<float>(part);
      LERP_TRY(entry, file.require(name, safetensors::Type::f32, {block->values().size()}));
      safetensors::copy(*entry, block->values());
    }
    return {};
  };
  LERP_CHECK(take(blocks(state), rules_of(shape)));
  if (state.shared) {
    for (const auto& [name, block] : shared_blocks(*state.shared)) {
      LERP_TRY(entry, file.require(name, safetensors::Type::f32, {block->size()}));
      safetensors::copy(*entry, std::span<float>(*block));
    }
  }
  if (state.embedding) LERP_CHECK(take(embedding_blocks(*state.embedding), embedding_of(shape)));
  state.adam.steps.resize(shape.operators() + std::size_t{1});
  LERP_TRY(steps, file.require("steps", safetensors::Type::u64, {state.adam.steps.size()}));
  safetensors::copy(*steps, std::span<std::uint64_t>(state.adam.steps));
  return state;
}

}  // namespace lerpp
