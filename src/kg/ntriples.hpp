#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// N-Triples: one statement a line. Labels become texts, all else facts.
namespace lerpp::formats {

/// Whether the text reads as N-Triples, by its first lines.
bool looks_like_ntriples(std::string_view text);

Result<void> read_ntriples(std::string_view text, const std::string& where, Reading& reading,
                           Split split);

}  // namespace lerpp::formats
