// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kg/separated.hpp"
#include "kg/split_line.hpp"

/// Where the facts of a table begin, and what its columns are.
namespace lerpp::formats {

/// The first lines that are neither blank nor comments.
std::vector<std::string_view> sample_lines(std::string_view text);

inline Cells cells_of(const LineColumns& columns, const ColumnMap& map) {
  return {columns.cells[map.places[0]], columns.cells[map.places[1]], columns.cells[map.places[2]]};
}

struct Table {
  Delimiter delimiter = Delimiter::tab;
  ColumnMap map;
  std::size_t begin = 0;  ///< of the first line of facts
};

/// Looks at the first lines of a text without byte order mark. A header that is known says what the
/// columns are; one that might be one is asked about; no fact is taken for a header.
Result<Table> find_table(std::string_view text, const std::string& where, Reading& reading);

}  // namespace lerpp::formats
