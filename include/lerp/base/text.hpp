// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

namespace lerpp {

/// 23483 as "23,483".
std::string thousands(std::uint64_t number);
/// "0:11", "12:05", "1:02:33"
std::string duration_text(double seconds);
/// "an aunt", "a mother"
std::string with_article(std::string_view noun);
/// "anna, anne or hanna"
std::string alternatives(std::span<const std::string> words);
/// How many letters must change to turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word that was probably meant: the nearest of those that are not too far, or none.
std::string_view nearest_word(std::string_view word, std::span<const std::string> words);

/// Control characters as \n, \t, \x1B, and those that turn the direction of a text as \u202E: what
/// a name holds cannot steer a terminal, end a line or make it read as another.
std::string visible(std::string_view text);
/// The same for a text of lines: line ends and tabs stay.
std::string visible_lines(std::string_view text);

/// Bytes of "500M", "64G", "1T"; a bare number is bytes.
Result<std::uint64_t> parse_size(std::string_view text);
/// 1536 as "1.5 KiB".
std::string size_text(std::uint64_t bytes);

/// Seconds of "90s", "10m", "2h30m"; a bare number is seconds.
Result<double> parse_duration(std::string_view text);

}  // namespace lerpp
