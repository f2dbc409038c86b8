// SPDX-License-Identifier: Apache-2.0
#include "kg/split_line.hpp"

#include <algorithm>

namespace lerpp::formats {
namespace {

void split_tabs(std::string_view line, LineColumns& columns) {
  for (;;) {
    const std::size_t end = line.find('\t');
    columns.add(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

void split_spaces(std::string_view line, LineColumns& columns) {
  for (;;) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    columns.add(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

/// Takes a quoted cell off the front of a line, up to its closing quote; false where it has none.
bool take_quoted(std::string_view& line, Scratch& scratch, std::string_view& cell) {
  std::size_t quote = line.find('"', 1);
  if (quote == std::string_view::npos) return false;
  if (!line.substr(quote).starts_with("\"\"")) {
    cell = line.substr(1, quote - 1);
    line.remove_prefix(quote + 1);
    return true;
  }
  std::string& whole = scratch.next();
  std::size_t from = 1;
  while (quote != std::string_view::npos && line.substr(quote).starts_with("\"\"")) {
    whole += line.substr(from, quote + 1 - from);
    from = quote + 2;
    quote = line.find('"', from);
  }
  if (quote == std::string_view::npos) return false;
  whole += line.substr(from, quote - from);
  cell = whole;
  line.remove_prefix(quote + 1);
  return true;
}

/// RFC 4180 but for line ends inside quotes: a fact is a line.
void split_quoted(std::string_view line, char mark, Scratch& scratch, LineColumns& columns) {
  for (;;) {
    std::string_view cell;
    if (line.starts_with('"')) {
      if (!take_quoted(line, scratch, cell) || (!line.empty() && line.front() != mark)) {
        columns.count = 0;
        return;
      }
    } else {
      const std::size_t end = std::min(line.find(mark), line.size());
      cell = line.substr(0, end);
      line.remove_prefix(end);
    }
    columns.add(cell);
    if (line.empty()) return;
    line.remove_prefix(1);
  }
}

}  // namespace

void split_line(std::string_view line, Delimiter delimiter, Scratch& scratch,
                LineColumns& columns) {
  switch (delimiter) {
    case Delimiter::tab:
      return split_tabs(line, columns);
    case Delimiter::comma:
      return split_quoted(line, ',', scratch, columns);
    case Delimiter::semicolon:
      return split_quoted(line, ';', scratch, columns);
    case Delimiter::bar:
      return split_quoted(line, '|', scratch, columns);
    case Delimiter::space:
      return split_spaces(line, columns);
  }
}

}  // namespace lerpp::formats
