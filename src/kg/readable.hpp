// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lerpp {

/// Foreign text made fit for names and tables: bytes that are not UTF-8 become U+FFFD, control
/// characters become spaces, and the ends lose their blanks.
std::string readable(std::string_view text);

/// The length of the UTF-8 sequence at the front of a text that is not empty, 0 where there is
/// none.
std::size_t utf8_length(std::string_view text);

/// Without blanks at either end.
std::string_view trim(std::string_view text);

}  // namespace lerpp
