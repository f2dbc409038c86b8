#include <charconv>

#include <fmt/format.h>

#include <lerp/train/run.hpp>

#include "model/safetensors.hpp"

namespace lerpp {
namespace {

constexpr std::string_view format_name = "lerp-checkpoint";
constexpr std::string_view format_version = "1";

/// The parameter blocks of a state, with their names in the file.
template <class State>
auto blocks(State& state) {
  return std::array{std::pair{"parameters", &state.parameters}, std::pair{"best", &state.best},
                    std::pair{"first_moments", &state.first_moments},
                    std::pair{"second_moments", &state.second_moments}};
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

tl::unexpected<Error> damaged(std::string what, const std::string& where) {
  return fail(std::move(what), where, "remove the checkpoint folder to start this run anew");
}

}  // namespace

Result<void> save_checkpoint(const TrainState& state, const std::filesystem::path& path) {
  safetensors::Metadata metadata = {{"format", std::string(format_name)},
                                    {"version", std::string(format_version)}};
  numbers(state, [&](const char* name, const auto& value) {
    metadata.emplace_back(name, fmt::format("{}", value));
  });
  std::vector<safetensors::Entry> entries;
  for (const auto& [name, block] : blocks(state)) {
    entries.push_back(safetensors::entry<float>(name, {block->values().size()}, block->values()));
  }
  entries.push_back(safetensors::entry<std::uint64_t>("steps", {state.steps.size()}, state.steps));
  return safetensors::write(path, metadata, entries);
}

Result<TrainState> load_checkpoint(const std::filesystem::path& path, const ModelShape& shape) {
  LERP_TRY(file, safetensors::File::read(path));
  const std::string* format = file.metadata("format");
  if (format == nullptr || *format != format_name)
    return damaged("this is not a checkpoint", path.string());
  const std::string* version = file.metadata("version");
  if (version == nullptr || *version != format_version) {
    return fail("the checkpoint is of another version", path.string(),
                "go on with the lerp that wrote it");
  }
  TrainState state;
  bool readable = true;
  numbers(state, [&](const char* name, auto& value) {
    const std::string* text = file.metadata(name);
    if (text == nullptr) {
      readable = false;
      return;
    }
    const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value);
    readable = readable && code == std::errc() && end == text->data() + text->size();
  });
  if (!readable) return damaged("the checkpoint lacks some of its numbers", path.string());
  for (const auto& [name, block] : blocks(state)) {
    *block = Parameters<float>(shape);
    LERP_TRY(entry, file.require(name, safetensors::Type::f32, {block->values().size()}));
    safetensors::copy(*entry, block->values());
  }
  state.steps.resize(shape.operators() + std::size_t{1});
  LERP_TRY(steps, file.require("steps", safetensors::Type::u64, {state.steps.size()}));
  safetensors::copy(*steps, std::span<std::uint64_t>(state.steps));
  return state;
}

}  // namespace lerpp
