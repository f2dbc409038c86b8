// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/run/run.hpp>

namespace lerpp {

/// Learns as start_run() does, and then makes the short list of rules that the options ask for
/// (list.rules): rules.txt in the folder.
Result<RunResult> train_run(const Dataset& dataset, const std::filesystem::path& data,
                            const ResolvedOptions& options, const std::filesystem::path& folder,
                            const Observer& observer = {},
                            const std::function<void(const std::string&)>& say = {},
                            Crew* crew = nullptr);
/// Goes on with an interrupted run as resume_run() does. A list that is there already is kept.
Result<RunResult> continue_run(const std::filesystem::path& folder, const Observer& observer = {},
                               const std::function<void(const std::string&)>& say = {},
                               Crew* crew = nullptr);

}  // namespace lerpp
