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

/// Seconds of "90s", "10m", "2h30m"; a bare number is seconds.
Result<double> parse_duration(std::string_view text);

}  // namespace lerpp
