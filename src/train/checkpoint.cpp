// SPDX-License-Identifier: Apache-2.0
#include <lerp/train/run.hpp>

#include "model/embedding_parts.hpp"
#include "model/scopes_file.hpp"
#include "model/state_file.hpp"

namespace lerpp {
namespace {

/// Only a state whose embedding has begun has this number.
constexpr const char* embedding_mark = "embedding.epoch";
/// Only a state of targets that share has this one.
constexpr const char* shared_mark = "shared.steps";

// Each names all that a part of the state holds, for writing and for reading.

template <class State, class File>
void visit_rules(State& state, File& file) {
  EpochState::numbers(state, [&](const char* name, auto& number) { file.number(name, number); });
  file.values("parameters", state.parameters.values());
  file.values("best", state.best.values());
  file.values("first_moments", state.adam.first.values());
  file.values("second_moments", state.adam.second.values());
  file.values("steps", std::span(state.adam.steps));
}

/// What targets share, in files of runs where they do.
template <class State, class File>
void visit_shared(State& state, File& file) {
  file.number(shared_mark, state.steps);
  file.values("shared.weights", std::span(state.weights));
  file.values("shared.first_moments", std::span(state.first_moments));
  file.values("shared.second_moments", std::span(state.second_moments));
  file.values("shared.known", std::span(state.known));
}

template <class State, class File>
void visit_embedding(State& state, File& file) {
  EpochState::numbers(state, [&](const std::string& name, auto& number) {
    file.number(("embedding." + name).c_str(), number);
  });
  file.values("embedding.parameters", state.parameters.values());
  file.values("embedding.best", state.best.values());
  file.values("embedding.squares", state.squares.values());
}

TrainState empty_state(const ModelShape& shape) {
  TrainState state;
  state.parameters = state.best = Parameters<float>(shape);
  state.adam = AdamState(shape);
  return state;
}

EmbeddingState empty_embedding(const ModelShape& shape) {
  EmbeddingState state;
  state.parameters = state.best = state.squares = Parameters<float>(shape);
  return state;
}

}  // namespace

Result<void> save_checkpoint(const TrainState& state, const std::filesystem::path& path) {
  StateWriter file;
  visit_rules(state, file);
  if (state.shared) visit_shared(*state.shared, file);
  if (state.embedding) visit_embedding(*state.embedding, file);
  const ScopeTensors scopes(state.parameters.shape().scopes);
  for (const safetensors::Entry& entry : scopes.entries()) file.add(entry);
  return file.write(path);
}

Result<TrainState> load_checkpoint(const std::filesystem::path& path, const ModelShape& sizes) {
  LERP_TRY(file, StateReader::open(path));
  ModelShape shape = sizes;
  LERP_TRY(scopes, read_scopes(file.file(), shape.relations, StateReader::remedy));
  shape.scopes = std::move(scopes);
  TrainState state = empty_state(rules_of(shape));
  visit_rules(state, file);
  if (file.has(shared_mark)) visit_shared(state.shared.emplace(shape), file);
  if (shape.embedding > 0 && file.has(embedding_mark))
    visit_embedding(state.embedding.emplace(empty_embedding(embedding_of(shape))), file);
  LERP_CHECK(file.finish());
  return state;
}

}  // namespace lerpp
