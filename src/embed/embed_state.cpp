// SPDX-License-Identifier: Apache-2.0
#include <lerp/embed/embed.hpp>

#include "model/state_file.hpp"

namespace lerpp {
namespace {

/// Names all that a checkpoint holds, for writing and for reading.
template <class State, class File>
void visit_embed(State& state, File& file) {
  EpochState::numbers(state, [&](const char* name, auto& number) { file.number(name, number); });
  file.number("steps", state.steps);
  file.number("margin_loss", state.margin_loss);
  file.number("ratio", state.ratio);
  file.number("entropy", state.entropy);
  const auto visit = [&](const std::string& name, auto& parameters) {
    file.values(name + ".functions", parameters.functions.values());
    file.values(name + ".entity", std::span(parameters.entity));
    file.values(name + ".relation", std::span(parameters.relation));
    file.values(name + ".rotation", std::span(parameters.rotation));
  };
  visit("parameters", state.parameters);
  visit("best", state.best);
  visit("first_moments", state.first);
  visit("second_moments", state.second);
}

}  // namespace

Result<void> save_embed_state(const EmbedState& state, const std::filesystem::path& path) {
  StateWriter file;
  visit_embed(state, file);
  return file.write(path);
}

Result<EmbedState> load_embed_state(const std::filesystem::path& path, const TransEShape& shape) {
  LERP_TRY(file, StateReader::open(path));
  EmbedState state{TransEParameters<float>(shape)};
  visit_embed(state, file);
  LERP_CHECK(file.finish());
  return state;
}

}  // namespace lerpp
