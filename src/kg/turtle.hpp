// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// Turtle, by libserd. Labels become texts; the other literals are left out or kept, as the reading
/// says.
namespace lerpp::formats {

/// Whether the text starts like Turtle: a directive, or a term that no line of columns starts with.
bool looks_like_turtle(std::string_view text);

Result<void> read_turtle(std::string_view text, const std::string& where, Reading& reading,
                         Split split);

}  // namespace lerpp::formats
