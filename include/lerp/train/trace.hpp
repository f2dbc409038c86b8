// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lerp/train/train.hpp>

namespace lerpp {

/// The epochs of a run as its trace.jsonl tells them, in order. A last line that was cut short is
/// no matter: the run was.
Result<std::vector<EpochReport>> load_trace(const std::filesystem::path& run);

/// Loss and validation MRR over the epochs, with the MRR's range between the tie protocols.
std::string curves_svg(const std::vector<EpochReport>& trace);

}  // namespace lerpp
