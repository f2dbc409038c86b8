// SPDX-License-Identifier: Apache-2.0
#include <lerp/events/train.hpp>

#include "model/state_file.hpp"

namespace lerpp {
namespace {

/// Names all that a state holds, for writing and for reading.
template <class State, class File>
void visit_events(State& state, File& file) {
  EpochState::numbers(state, [&](const char* name, auto& number) { file.number(name, number); });
  file.number("steps", state.steps);
  file.values("parameters", std::span(state.parameters));
  file.values("average", std::span(state.average));
  file.values("best", std::span(state.best));
  file.values("first_moments", std::span(state.first));
  file.values("second_moments", std::span(state.second));
}

}  // namespace

Result<void> save_event_state(const EventState& state, const std::filesystem::path& path) {
  StateWriter file;
  visit_events(state, file);
  return file.write(path);
}

Result<EventState> load_event_state(const std::filesystem::path& path, const EventShape& shape) {
  LERP_TRY(file, StateReader::open(path));
  EventState state{std::vector<float>(shape.parameters())};
  visit_events(state, file);
  LERP_CHECK(file.finish());
  return state;
}

}  // namespace lerpp
