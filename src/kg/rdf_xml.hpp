// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// RDF/XML, by libraptor2 where lerp was built with it. Names and labels are those of N-Triples.
namespace lerpp::formats {

Result<void> read_rdf_xml(std::string_view text, const std::string& where, Reading& reading,
                          Split split);

}  // namespace lerpp::formats
