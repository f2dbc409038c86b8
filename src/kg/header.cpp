// SPDX-License-Identifier: Apache-2.0
#include "kg/header.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

constexpr std::size_t sample_size = 100;

/// Whether the relation of the first line, or one of its entities, comes again as such.
class Again {
 public:
  Again(std::string_view text, const Table& table) : text_(text), table_(table) {}

  bool relation(const Cells& first) const {
    return any([&](const Cells& cells) { return cells.relation == first.relation; });
  }
  bool anything(const Cells& first) const {
    return any([&](const Cells& cells) {
      return cells.relation == first.relation || cells.subject == first.subject ||
             cells.object == first.object || cells.subject == first.object ||
             cells.object == first.subject;
    });
  }

 private:
  template <class Same>
  bool any(const Same& same) const {
    Scratch scratch;
    LineColumns columns;
    std::string_view rest = text_;
    for (bool first = true; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (is_blank(line) || is_remark(line)) continue;
      scratch.clear();
      columns.count = 0;
      split_line(line, table_.delimiter, scratch, columns);
      if (!first && columns.count == table_.map.width && same(cells_of(columns, table_.map))) {
        return true;
      }
      first = false;
    }
    return false;
  }

  std::string_view text_;
  const Table& table_;
};

/// Whether the first lines are facts of a few relations, each often used, but for the first line.
bool is_odd_one_out(std::string_view text, const Table& table, const Cells& first) {
  constexpr std::size_t least_lines = 20;
  std::map<std::string, std::size_t, std::less<>> uses;
  Scratch scratch;
  LineColumns columns;
  std::size_t lines = 0;
  for (const std::string_view line : sample_lines(text)) {
    columns.count = 0;
    split_line(line, table.delimiter, scratch, columns);
    if (columns.count != table.map.width) return false;
    ++uses[std::string(cells_of(columns, table.map).relation)];
    ++lines;
  }
  return lines > least_lines && std::all_of(uses.begin(), uses.end(), [&](const auto& use) {
           return use.second > 1 || use.first == first.relation;
         });
}

bool are_listed(const Cells& cells, const Reading& reading) {
  const Dataset& dataset = reading.dataset;
  return reading.entity_kind() == CellKind::listed && dataset.entities.find(cells.subject) &&
         dataset.relations.find(cells.relation) && dataset.entities.find(cells.object);
}

/// A name for a note: the file without its folders.
std::string file_of(const std::string& where) {
  return std::filesystem::path(where).filename().string();
}

std::string words_of(const LineColumns& columns) {
  std::string text;
  for (const std::string_view word : columns.words()) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return formats::quoted(text);
}

/// Finds the header, if the first line is one.
class HeaderSearch {
 public:
  HeaderSearch(std::string_view text, const std::string& where, Reading& reading, Table& table)
      : text_(text), where_(where), reading_(reading), table_(table) {
    for (std::string_view rest = text; !rest.empty();) {
      line_ = take_line(rest);
      end_ = text.size() - rest.size();
      if (!is_blank(line_) && takes_words()) return;
    }
  }

  /// True where there is one; `table` then says what it says, unless the columns were chosen.
  Result<bool> found(bool chosen) {
    if (words_.count != table_.map.width || reading_.choices.no_header) return false;
    // Listed names may start with #, and comments are for files without lists.
    if (comment_ && reading_.entity_kind() == CellKind::listed) return false;
    if (const auto header = match_header(words_.words())) {
      Table as_header = table_;
      if (!chosen) as_header.map = header->map;
      const Cells cells = cells_of(words_, as_header.map);
      // Listed names may spell a header by chance: then it is a fact.
      if (are_listed(cells_of(words_, table_.map), reading_)) return false;
      if (header->sure || !Again(text_, as_header).relation(cells)) {
        table_.map = as_header.map;
        return true;
      }
    }
    const Cells cells = cells_of(words_, table_.map);
    if (!is_suspect(cells)) return false;
    if (chosen || comment_) return true;
    return fail(fmt::format("the first line looks like a header, {}, but does not say which column "
                            "is what",
                            words_of(words_)),
                at_place(where_, text_, static_cast<std::size_t>(line_.data() - text_.data())),
                "say it with --columns s,r,o (subject, relation, object), or with --no-header that "
                "the line is a fact");
  }

  std::size_t end() const { return end_; }
  const LineColumns& words() const { return words_; }

 private:
  /// Splits the line; false where it is a comment and no header.
  bool takes_words() {
    // Some write the header as a comment: "#subject  predicate  object".
    std::string_view line = line_;
    comment_ = line.starts_with('#');
    if (comment_) line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
    words_.count = 0;
    split_line(line, table_.delimiter, scratch_, words_);
    if (!comment_ || match_header(words_.words())) return true;
    return !is_remark(line_) && words_.count == table_.map.width;
  }

  bool is_suspect(const Cells& cells) const {
    if (are_listed(cells, reading_)) return false;
    const bool named = could_be_header(cells.subject, cells.relation, cells.object);
    const bool odd = is_plain_word(cells.subject) && is_plain_word(cells.relation) &&
                     is_plain_word(cells.object) && is_odd_one_out(text_, table_, cells);
    return (named || odd) && !Again(text_, table_).anything(cells);
  }

  std::string_view text_;
  const std::string& where_;
  Reading& reading_;
  Table& table_;
  std::string_view line_;  ///< the first that is not blank and no comment
  std::size_t end_ = 0;
  Scratch scratch_;
  LineColumns words_;
  bool comment_ = false;
};

Result<void> use_columns(const ColumnMap& columns, std::size_t width, const std::string& where,
                         Table& table) {
  if (columns.width != width) {
    return fail(
        fmt::format("--columns names {} columns, and the lines have {}", columns.width, width),
        where, "give a letter for each column, - for one to leave out");
  }
  table.map = columns;
  return {};
}

}  // namespace

std::vector<std::string_view> sample_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::vector<std::string_view> marked;  // that start with #: names may, but seldom all do
  while (!text.empty() && lines.size() + marked.size() < sample_size) {
    const std::string_view line = take_line(text);
    if (is_blank(line) || is_remark(line)) continue;
    (line.starts_with('#') ? marked : lines).push_back(line);
  }
  return lines.empty() ? marked : lines;
}

Result<Table> find_table(std::string_view text, const std::string& where, Reading& reading) {
  const DelimiterGuess guess = guess_delimiter(text);
  Table table{guess.delimiter, {}, 0};
  table.map.width = guess.width;
  const bool chosen = !reading.choices.columns.empty();
  if (chosen) {
    LERP_TRY(columns, parse_columns(reading.choices.columns));
    LERP_CHECK(use_columns(columns, guess.width, where, table));
  }
  HeaderSearch search(text, where, reading, table);
  LERP_TRY(header, search.found(chosen));
  if (header) table.begin = search.end();
  if (table.map.width <= 3 || chosen) return table;
  if (header) {
    reading.note(fmt::format("{}: {} left out: {}", file_of(where),
                             table.map.width == 4 ? "a column is" : "columns are",
                             other_columns(search.words().words(), table.map)));
  } else if (table.map.width == 4) {
    reading.note(fmt::format("{}: the fourth column is left out", file_of(where)));
  } else {
    return fail(fmt::format("the lines have {} columns instead of 3", table.map.width),
                at_line(where, 1),
                "say which are subject, relation and object with --columns, as in --columns "
                "s,r,o,-,-");
  }
  return table;
}

}  // namespace lerpp::formats
