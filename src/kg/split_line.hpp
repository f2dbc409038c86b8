// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "kg/reading.hpp"
#include "kg/separated.hpp"

namespace lerpp::formats {

/// The columns of a line. `count` is 0 where a quote is wrong.
struct LineColumns {
  std::array<std::string_view, most_columns> cells;
  std::size_t count = 0;

  void add(std::string_view cell) {
    if (count < cells.size()) cells[count] = cell;
    ++count;
  }
  std::span<const std::string_view> words() const {
    return {cells.data(), std::min(count, cells.size())};
  }
};

/// Fills the columns, which are empty. Cells that had to be unescaped live in `scratch`.
void split_line(std::string_view line, Delimiter delimiter, Scratch& scratch, LineColumns& columns);

/// A line that is a comment however many columns it has. Others that start with # are comments
/// where they are no facts: a name may start so.
inline bool is_remark(std::string_view line) {
  return line.starts_with("# ") || line == "#";
}

}  // namespace lerpp::formats
