// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <lerp/base/error.hpp>

/// Files that people bring and that hold no facts in a form that is read.
namespace lerpp::formats {

/// Fails where the bytes are of such a kind, and says what they are and what to do.
Result<void> refuse_foreign(std::string_view bytes, const std::string& where);

/// Whether the text is RDF/XML.
bool looks_like_rdf_xml(std::string_view text);

}  // namespace lerpp::formats
