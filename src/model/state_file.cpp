// SPDX-License-Identifier: Apache-2.0
#include "model/state_file.hpp"

namespace lerpp {
namespace {

constexpr const char* state_format = "lerp-checkpoint";
constexpr std::uint32_t state_version = 3;

}  // namespace

StateWriter::StateWriter()
    : metadata_{{"format", state_format}, {"version", std::to_string(state_version)}} {}

Result<void> StateWriter::write(const std::filesystem::path& path) const {
  return safetensors::write(path, metadata_, entries_);
}

Result<StateReader> StateReader::open(const std::filesystem::path& path) {
  LERP_TRY(file, safetensors::File::read(path));
  LERP_TRY(version, file.require_format(state_format, state_version,
                                        {"this is not a checkpoint", path.string(), remedy}));
  if (version < state_version) {
    return fail(fmt::format("the checkpoint is of an older version, which {} wrote", file.writer()),
                path.string(), "go on with that one, or start a new run");
  }
  return StateReader(std::move(file));
}

void StateReader::lack_number() {
  if (outcome_) outcome_ = fail("the checkpoint lacks some of its numbers", file_.where(), remedy);
}

}  // namespace lerpp
