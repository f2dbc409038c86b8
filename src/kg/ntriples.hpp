// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// N-Triples and N-Quads: one statement a line. Labels become texts; the other literals are left
/// out or kept, as the reading says; graphs are left out.
namespace lerpp::formats {

/// Whether the text reads as N-Triples or N-Quads, by its first lines.
bool looks_like_ntriples(std::string_view text);

Result<void> read_ntriples(std::string_view text, const std::string& where, Reading& reading,
                           Split split);

}  // namespace lerpp::formats
