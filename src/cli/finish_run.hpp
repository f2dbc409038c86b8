// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/events/train.hpp>
#include <lerp/train/run.hpp>

#include "cli/console.hpp"

namespace lerpp::cli {

// What is said at the end of a run, whether it was begun or resumed.
Result<void> finish_run(Console& console, const std::string& folder, const RunResult& result);
void tell_run(Console& console, const std::string& folder, const EventRunResult& result);

}  // namespace lerpp::cli
