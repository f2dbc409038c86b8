// SPDX-License-Identifier: Apache-2.0
#include "kg/separated.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "kg/header.hpp"
#include "kg/lines.hpp"
#include "kg/split_line.hpp"

namespace lerpp::formats {
namespace {

constexpr std::array delimiters = {Delimiter::tab, Delimiter::comma, Delimiter::semicolon,
                                   Delimiter::bar, Delimiter::space};

bool is_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  return code == std::errc() && stop == end;
}

/// How many columns a delimiter makes of the first lines.
struct Widths {
  std::size_t width = 0;     ///< of each line; 0 where they differ
  std::size_t threes = 0;    ///< lines of three
  bool numbers_last = true;  ///< each line but the first ends with a number
};

Widths widths_of(const std::vector<std::string_view>& lines, Delimiter delimiter) {
  Widths widths;
  Scratch scratch;
  LineColumns columns;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    scratch.clear();
    columns.count = 0;
    split_line(lines[i], delimiter, scratch, columns);
    if (columns.count == 3) ++widths.threes;
    if (i == 0) widths.width = columns.count;
    if (columns.count != widths.width) widths.width = 0;
    if (i > 0 || lines.size() == 1) {
      widths.numbers_last &= columns.count > 0 && columns.count <= most_columns &&
                             is_number(columns.cells[columns.count - 1]);
    }
  }
  if (widths.width > most_columns) widths.width = 0;
  return widths;
}

bool any_empty(const Cells& cells) {
  return cells.subject.empty() || cells.relation.empty() || cells.object.empty();
}

/// Names where the sample has them; ids where it does not and they could be; else names, so that
/// the error tells of the unlisted one.
CellKind kind_of(const std::vector<std::string_view>& cells, const Vocabulary& names) {
  const auto listed = [&](std::string_view cell) { return names.find(cell).has_value(); };
  const auto numbered = [&](std::string_view cell) {
    const auto number = parse_number(cell);
    return number && *number < names.size();
  };
  if (std::all_of(cells.begin(), cells.end(), listed)) return CellKind::listed;
  return std::all_of(cells.begin(), cells.end(), numbered) ? CellKind::numbered : CellKind::listed;
}

/// Whether names that are listed stand in the facts as they are, or by number.
void choose_kinds(const Table& table, std::string_view text, const Reading& reading,
                  LinesOptions& options) {
  std::vector<std::string_view> entities;
  std::vector<std::string_view> relations;
  Scratch scratch;
  LineColumns columns;
  for (const std::string_view line : sample_lines(text.substr(options.begin))) {
    columns.count = 0;
    split_line(line, table.delimiter, scratch, columns);
    if (columns.count != table.map.width) continue;
    const Cells cells = cells_of(columns, table.map);
    entities.insert(entities.end(), {cells.subject, cells.object});
    relations.push_back(cells.relation);
  }
  if (options.entities == CellKind::listed) {
    options.entities = kind_of(entities, reading.dataset.entities);
  }
  if (options.relations == CellKind::listed) {
    options.relations = kind_of(relations, reading.dataset.relations);
  }
}

}  // namespace

std::string_view name_of(Delimiter delimiter) {
  constexpr std::array<std::string_view, delimiters.size()> names = {"tab", "comma", "semicolon",
                                                                     "bar", "space"};
  return names[static_cast<std::size_t>(delimiter)];
}

DelimiterGuess guess_delimiter(std::string_view text) {
  const auto lines = sample_lines(without_bom(text));
  if (lines.empty()) return {};
  std::array<Widths, delimiters.size()> widths;
  for (std::size_t i = 0; i < delimiters.size(); ++i) widths[i] = widths_of(lines, delimiters[i]);
  const auto of = [&](Delimiter delimiter) { return widths[static_cast<std::size_t>(delimiter)]; };
  const auto found = [&](Delimiter delimiter) {
    return DelimiterGuess{delimiter, of(delimiter).width, true};
  };
  const auto marks = std::span(delimiters).first(4);
  for (const Delimiter mark : marks) {
    if (of(mark).width == 3) return found(mark);
  }
  // Names hold blanks more often than tabs: columns by tabs go before words.
  if (of(Delimiter::tab).width > 3) return found(Delimiter::tab);
  if (of(Delimiter::space).width == 3) return found(Delimiter::space);
  for (const Delimiter mark : marks) {
    if (of(mark).width > 3) return found(mark);
  }
  // Four words are three and a weight, or a sentence.
  if (of(Delimiter::space).width == 4 && of(Delimiter::space).numbers_last) {
    return found(Delimiter::space);
  }
  DelimiterGuess best;
  std::size_t most = 0;
  for (const Delimiter delimiter : delimiters) {
    if (of(delimiter).threes <= most) continue;
    most = of(delimiter).threes;
    best.delimiter = delimiter;
  }
  return best;
}

std::size_t SeparatedParser::parse(std::string_view text, std::size_t place, Block& block) const {
  const char* const start = text.data();
  const char* const stop = start + text.size();
  const char* at = start + place;
  const auto find = [](const char* from, const char* to, char wanted) {
    return static_cast<const char*>(std::memchr(from, wanted, static_cast<std::size_t>(to - from)));
  };
  const auto view = [](const char* from, const char* to) {
    return std::string_view(from, static_cast<std::size_t>(to - from));
  };
  const bool three_tabs = delimiter_ == Delimiter::tab && map_.width == 3;
  LineColumns columns;
  while (at < stop && !block.full()) {
    const char* const newline = find(at, stop, '\n');
    const char* const next = newline == nullptr ? stop : newline + 1;
    const char* end = newline == nullptr ? stop : newline;
    if (end > at && end[-1] == '\r') --end;
    const auto line_place = static_cast<std::size_t>(at - start);
    columns.count = 0;
    if (three_tabs) {
      const char* const first = find(at, end, '\t');
      const char* const second = first == nullptr ? nullptr : find(first + 1, end, '\t');
      if (second != nullptr && find(second + 1, end, '\t') == nullptr) {
        columns.cells[0] = view(at, first);
        columns.cells[1] = view(first + 1, second);
        columns.cells[2] = view(second + 1, end);
        columns.count = 3;
      }
    } else {
      split_line(view(at, end), delimiter_, block.scratch, columns);
    }
    const bool remark = comments_ && *at == '#' && is_remark(view(at, end));
    const bool whole = columns.count == map_.width && !remark;
    if (const Cells cells = whole ? cells_of(columns, map_) : Cells{}; whole && !any_empty(cells)) {
      block.add(line_place, cells);
    } else if (!is_blank(view(at, end)) && !(comments_ && *at == '#' && !whole)) {
      block.bad = line_place;
      return static_cast<std::size_t>(next - start);
    }
    at = next;
  }
  return static_cast<std::size_t>(at - start);
}

Error SeparatedParser::explain(std::string_view line) const {
  Scratch scratch;
  LineColumns columns;
  split_line(line, delimiter_, scratch, columns);
  if (columns.count == 0) {
    return {fmt::format("a quoted cell is not closed before the next {} or the end of the line",
                        name_of(delimiter_)),
            "", "close it with one \" and double every \" inside it"};
  }
  if (columns.count != map_.width) {
    // OpenKE alone puts the relation last.
    const bool openke = map_.places == std::array<std::size_t, 3>{0, 2, 1} && !comments_;
    const std::string_view order =
        openke ? "head, tail and relation" : "subject, relation and object";
    return {fmt::format("the line has {} column{} instead of {}", columns.count,
                        columns.count == 1 ? "" : "s", map_.width),
            "",
            map_.width == 3 ? fmt::format("separate {} by {}s", order, name_of(delimiter_))
                            : "give every line as many columns as the first"};
  }
  const Cells cells = cells_of(columns, map_);
  const std::string_view which = cells.subject.empty()    ? "subject"
                                 : cells.relation.empty() ? "relation"
                                                          : "object";
  return {fmt::format("the {} is empty", which), "", "give every fact three names"};
}

Result<Delimiter> read_separated(std::string_view text, const std::string& where, Reading& reading,
                                 Split split) {
  text = without_bom(text);
  LERP_TRY(table, find_table(text, where, reading));
  LinesOptions options;
  options.begin = table.begin;
  options.entities = reading.entity_kind();
  options.relations = reading.relation_kind();
  choose_kinds(table, text, reading, options);
  // Where names are listed, what looks like a comment is one of them or a mistake.
  const bool comments = options.entities == CellKind::open;
  const SeparatedParser parser(table.delimiter, table.map, comments);
  LERP_CHECK(read_lines(text, where, reading, split, parser, options));
  return table.delimiter;
}

}  // namespace lerpp::formats
