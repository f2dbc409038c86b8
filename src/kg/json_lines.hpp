// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// Facts as JSON, one a line: {"subject": "anna", "relation": "mother", "object": "ben"}, with any
/// keys that a header may have, or ["anna", "mother", "ben"].
namespace lerpp::formats {

/// Whether the first line is a JSON object or array.
bool looks_like_json_lines(std::string_view text);

Result<void> read_json_lines(std::string_view text, const std::string& where, Reading& reading,
                             Split split);

}  // namespace lerpp::formats
