// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/error.hpp>

/// The lines of WordNet's data files, wndb(5WN):
///
///     offset lex_filenum ss_type w_cnt word lex_id [word lex_id...]
///     p_cnt [symbol offset pos source/target...] [frames...] | gloss
namespace lerpp::wordnet {

/// The part of speech as the files write it: n, v, a, r. Satellite adjectives (s) stand in data.adj
/// like any other and are pointed to as a.
using Part = char;
inline constexpr std::array<Part, 4> parts = {'n', 'v', 'a', 'r'};
/// "data.noun"
std::string_view file_of(Part part);

struct Pointer {
  std::string_view symbol;  ///< "@", "~i", ";c"
  std::string_view offset;  ///< eight digits
  Part part = 'n';
};

/// A set of words with one meaning.
struct Synset {
  std::string_view offset;
  Part part = 'n';
  std::string_view word;  ///< the first: "fecal_matter"
  std::vector<Pointer> pointers;
  std::string_view gloss;
};

/// Reads a line, but none of the licence above the data, which starts with a blank. `where` names
/// it in errors.
Result<void> parse(std::string_view line, Part part, const std::string& where, Synset& synset);

/// WN18's name of a pointer, "_hypernym" for "@"; empty for a symbol that WordNet does not have.
std::string_view relation_of(std::string_view symbol, Part part);

}  // namespace lerpp::wordnet
