#pragma once

#include <string>
#include <string_view>

#include "kg/reading.hpp"

/// Facts as three columns: separated by tabs, commas or blanks.
namespace lerpp::formats {

enum class Delimiter { tab, comma, space };
/// "tab", "comma", "space"
std::string_view name_of(Delimiter delimiter);

/// Which column is what: OpenKE puts the relation last.
enum class ColumnOrder { subject_relation_object, subject_object_relation };

/// The delimiter that gives three columns in each of the first lines, tab before comma before
/// space; where none does, the one that does so most often.
struct DelimiterGuess {
  Delimiter delimiter = Delimiter::tab;
  bool consistent = false;
};
DelimiterGuess guess_delimiter(std::string_view text);

class SeparatedParser : public LineParser {
 public:
  SeparatedParser(Delimiter delimiter, ColumnOrder order) : delimiter_(delimiter), order_(order) {}
  std::size_t parse(std::string_view text, std::size_t place, Block& block) const override;
  Error explain(std::string_view line) const override;

 private:
  Delimiter delimiter_;
  ColumnOrder order_;
};

/// Reads `subject relation object` lines into a split. Where the names are listed, the cells are
/// such names, or their ids where the names do not match.
Result<Delimiter> read_separated(std::string_view text, const std::string& where, Reading& reading,
                                 Split split);

}  // namespace lerpp::formats
