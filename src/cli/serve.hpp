// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/server/server.hpp>

#include "cli/console.hpp"

namespace lerpp::cli {

/// Serves runs until a signal ends it. The result, with link and port, is written when it has
/// begun.
Result<void> serve(Console& console, std::vector<Run> runs, const ServeOptions& options,
                   Json result = Json::object());

}  // namespace lerpp::cli
