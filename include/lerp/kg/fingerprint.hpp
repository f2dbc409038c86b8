// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// Tells datasets apart: names, ids and facts of every split.
std::string fingerprint(const Dataset& dataset);

/// Loads data that a run has begun with, in the way that it was read; refused where it is not the
/// same any more.
Result<Dataset> load_unchanged(const std::filesystem::path& path, const std::string& fingerprint,
                               const LoadOptions& options, const Observer& observer = {},
                               std::string remedy = "put it back as it was, or start a new run");

}  // namespace lerpp
