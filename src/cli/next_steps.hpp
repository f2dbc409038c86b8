// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lerpp::cli {

/// What people may want to do after a verb, or with "a run", "lerp rules bio, lerp report bio";
/// empty where nothing follows. `name` is the folder or file that the verb made or asked.
std::string next_steps(std::string_view verb, const std::string& name);

/// A folder in a sentence: "bio/".
std::string folder_text(const std::string& folder);

}  // namespace lerpp::cli
