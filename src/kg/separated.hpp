// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kg/columns.hpp"
#include "kg/reading.hpp"

/// Facts as columns: separated by tabs, commas, semicolons, bars or blanks.
namespace lerpp::formats {

enum class Delimiter { tab, comma, semicolon, bar, space };
/// "tab", "comma", "semicolon", "bar", "space"
std::string_view name_of(Delimiter delimiter);

/// The delimiter that gives the same number of columns, three before more, in each of the first
/// lines; where none does, the one that most often gives three.
struct DelimiterGuess {
  Delimiter delimiter = Delimiter::tab;
  std::size_t width = 3;
  bool consistent = false;
};
DelimiterGuess guess_delimiter(std::string_view text);

class SeparatedParser : public LineParser {
 public:
  /// `comments`: lines that start with # and are no facts are passed over.
  SeparatedParser(Delimiter delimiter, const ColumnMap& map, bool comments = false)
      : delimiter_(delimiter), map_(map), comments_(comments) {}
  std::size_t parse(std::string_view text, std::size_t place, Block& block) const override;
  Error explain(std::string_view line) const override;

 private:
  Delimiter delimiter_;
  ColumnMap map_;
  bool comments_;
};

/// Reads lines of facts into a split. A header says which column is what, or the choices of the
/// reading; else it is subject, relation, object. Where the names are listed, the cells are such
/// names, or their ids where the names do not match.
Result<Delimiter> read_separated(std::string_view text, const std::string& where, Reading& reading,
                                 Split split);

}  // namespace lerpp::formats
