// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// RDF terms and the names that entities and relations get from them.
///
/// An IRI's name is the IRI, a blank node's is `_:label`, a literal's is its canonical N-Triples
/// spelling. A name that is none of these is written as `<urn:lerp:NAME>`, percent-encoded, and
/// decoded on reading.
namespace lerpp::formats {

enum class TermKind { iri, blank, literal, bad };

struct Term {
  TermKind kind = TermKind::bad;
  std::string_view name;
  /// The IRI as it stands, before `urn:lerp:` is decoded.
  std::string_view iri;
  /// Of a literal: the characters meant, and the language.
  std::string_view value;
  std::string_view language;
  /// What is wrong with a bad one.
  std::string_view problem;
};

/// Takes an N-Triples term off the front of `rest`. What needs unescaping goes to `scratch`.
Term take_term(std::string_view& rest, Scratch& scratch);

/// The same from the parts that a Turtle parser gives.
std::string_view iri_name(std::string_view iri, Scratch& scratch);
std::string_view literal_name(std::string_view value, std::string_view language,
                              std::string_view datatype, Scratch& scratch);

/// Whether facts with this relation and a literal object are human texts.
bool is_label(std::string_view iri);
Label make_label(std::string_view name, std::string_view value, std::string_view language);

/// The N-Triples spelling of a name, so that reading gives the name back.
enum class TermPlace { subject, predicate, object };
void write_term(std::string_view name, TermPlace place, std::string& out);
void write_literal(std::string_view value, std::string& out);

inline constexpr std::string_view rdfs_label = "http://www.w3.org/2000/01/rdf-schema#label";

}  // namespace lerpp::formats
