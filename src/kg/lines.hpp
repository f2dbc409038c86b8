// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

/// Small helpers for text files that are read line by line.
namespace lerpp::formats {

std::string_view without_bom(std::string_view text);

/// Takes the next line off `rest`, without its line end (LF or CRLF).
std::string_view take_line(std::string_view& rest);

inline bool is_blank(std::string_view line) {
  return line.find_first_not_of(' ') == std::string_view::npos;
}

std::string at_line(const std::string& where, std::uint64_t line);
/// The same for the line that holds the byte at `place`.
std::string at_place(const std::string& where, std::string_view text, std::size_t place);

/// Digits only, as ids and counts are written.
std::optional<std::uint64_t> parse_number(std::string_view digits);

/// Without line ends and the like: an error is one line.
std::string one_line(std::string text);

/// A name for an error message: in quotes, and not longer than a line bears.
std::string quoted(std::string_view name);

/// Where the first line starts that is not UTF-8.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);
Error invalid_utf8(std::string where);
Result<void> check_utf8(std::string_view text, const std::string& where);

}  // namespace lerpp::formats
