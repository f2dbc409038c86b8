// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/error.hpp>

/// Which column of a line, or key of an object, is subject, relation and object.
namespace lerpp::formats {

struct ColumnMap {
  std::array<std::size_t, 3> places = {0, 1, 2};  ///< of subject, relation and object
  std::size_t width = 3;                          ///< columns of a line

  bool usual() const { return places == std::array<std::size_t, 3>{0, 1, 2}; }
  friend bool operator==(const ColumnMap&, const ColumnMap&) = default;
};

/// More columns than that are no table of facts.
inline constexpr std::size_t most_columns = 64;

/// "s,r,o": a letter for each column, - for one that is left out.
Result<ColumnMap> parse_columns(std::string_view text);

/// What words say of the columns that they head.
struct Header {
  ColumnMap map;
  /// The words go together, as "head" and "tail" do. Others may be a fact: "source" "type"
  /// "object".
  bool sure = false;
};
/// The columns of a header that names a subject, a relation and an object, in any order and any
/// case, perhaps among others.
std::optional<Header> match_header(std::span<const std::string_view> words);

/// Whether a fact, or else a header, might be made of these words: none is known as one, but they
/// are plain words, and the relation or both entities are called like columns are.
bool could_be_header(std::string_view subject, std::string_view relation, std::string_view object);
/// A few letters, as columns are called: no digits, nothing of a path or an address.
bool is_plain_word(std::string_view word);

/// The words besides those that were found: "weight, source".
std::string other_columns(std::span<const std::string_view> words, const ColumnMap& map);

}  // namespace lerpp::formats
