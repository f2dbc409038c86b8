#include "kg/separated.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

constexpr std::size_t sample_size = 100;

std::vector<std::string_view> sample_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < sample_size) {
    const std::string_view line = take_line(text);
    if (!is_blank(line)) lines.push_back(line);
  }
  return lines;
}

/// The columns of a line, of which at most three are kept. `count` is 0 where a quote is wrong.
struct Columns {
  std::array<std::string_view, 3> cells;
  std::size_t count = 0;

  void add(std::string_view cell) {
    if (count < cells.size()) cells[count] = cell;
    ++count;
  }
};

Columns split_tabs(std::string_view line) {
  Columns columns;
  for (;;) {
    const std::size_t end = line.find('\t');
    columns.add(line.substr(0, end));
    if (end == std::string_view::npos) return columns;
    line.remove_prefix(end + 1);
  }
}

Columns split_spaces(std::string_view line) {
  Columns columns;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return columns;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    columns.add(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

/// RFC 4180 but for line ends inside quotes: a fact is a line.
Columns split_commas(std::string_view line, Scratch& scratch) {
  Columns columns;
  for (;;) {
    std::size_t end = 0;
    if (line.starts_with('"')) {
      std::size_t quote = line.find('"', 1);
      const bool escaped =
          quote != std::string_view::npos && line.substr(quote).starts_with("\"\"");
      if (!escaped && quote != std::string_view::npos) {
        columns.add(line.substr(1, quote - 1));
      } else {
        std::string& cell = scratch.next();
        std::size_t from = 1;
        while (quote != std::string_view::npos && line.substr(quote).starts_with("\"\"")) {
          cell += line.substr(from, quote + 1 - from);
          from = quote + 2;
          quote = line.find('"', from);
        }
        if (quote == std::string_view::npos) return {};
        cell += line.substr(from, quote - from);
        columns.add(cell);
      }
      end = quote + 1;
      if (end < line.size() && line[end] != ',') return {};
    } else {
      end = std::min(line.find(','), line.size());
      columns.add(line.substr(0, end));
    }
    if (end == line.size()) return columns;
    line.remove_prefix(end + 1);
  }
}

Columns split(std::string_view line, Delimiter delimiter, Scratch& scratch) {
  switch (delimiter) {
    case Delimiter::tab:
      return split_tabs(line);
    case Delimiter::comma:
      return split_commas(line, scratch);
    case Delimiter::space:
      break;
  }
  return split_spaces(line);
}

bool any_empty(const Columns& columns) {
  return columns.cells[0].empty() || columns.cells[1].empty() || columns.cells[2].empty();
}

Cells in_order(const std::array<std::string_view, 3>& cells, ColumnOrder order) {
  if (order == ColumnOrder::subject_relation_object) return {cells[0], cells[1], cells[2]};
  return {cells[0], cells[2], cells[1]};
}

bool is_header(const Columns& columns) {
  constexpr std::array<std::array<std::string_view, 3>, 5> headers = {
      {{"head", "relation", "tail"},
       {"subject", "predicate", "object"},
       {"h", "r", "t"},
       {"s", "p", "o"},
       {"source", "relation", "target"}}};
  const auto same = [](std::string_view cell, std::string_view word) {
    return std::equal(cell.begin(), cell.end(), word.begin(), word.end(), [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  };
  return columns.count == 3 && std::any_of(headers.begin(), headers.end(), [&](const auto& words) {
           return std::equal(words.begin(), words.end(), columns.cells.begin(),
                             [&](auto word, auto cell) { return same(cell, word); });
         });
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

}  // namespace

std::string_view name_of(Delimiter delimiter) {
  constexpr std::array<std::string_view, 3> names = {"tab", "comma", "space"};
  return names[static_cast<std::size_t>(delimiter)];
}

DelimiterGuess guess_delimiter(std::string_view text) {
  const auto lines = sample_lines(without_bom(text));
  DelimiterGuess best;
  std::size_t most = 0;
  Scratch scratch;
  for (const Delimiter delimiter : {Delimiter::tab, Delimiter::comma, Delimiter::space}) {
    const auto good =
        static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [&](auto line) {
          scratch.clear();
          return split(line, delimiter, scratch).count == 3;
        }));
    if (good > most) {
      most = good;
      best = {delimiter, good == lines.size()};
    }
    if (best.consistent) break;
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
  while (at < stop && !block.full()) {
    const char* const newline = find(at, stop, '\n');
    const char* const next = newline == nullptr ? stop : newline + 1;
    const char* end = newline == nullptr ? stop : newline;
    if (end > at && end[-1] == '\r') --end;
    const auto line_place = static_cast<std::size_t>(at - start);
    Columns columns;
    if (delimiter_ == Delimiter::tab) {
      const char* const first = find(at, end, '\t');
      const char* const second = first == nullptr ? nullptr : find(first + 1, end, '\t');
      if (second != nullptr && find(second + 1, end, '\t') == nullptr) {
        columns = {{view(at, first), view(first + 1, second), view(second + 1, end)}, 3};
      }
    } else {
      columns = split(view(at, end), delimiter_, block.scratch);
    }
    if (columns.count == 3 && !any_empty(columns)) {
      block.add(line_place, in_order(columns.cells, order_));
    } else if (!is_blank(view(at, end))) {
      block.bad = line_place;
      return static_cast<std::size_t>(next - start);
    }
    at = next;
  }
  return static_cast<std::size_t>(at - start);
}

Error SeparatedParser::explain(std::string_view line) const {
  Scratch scratch;
  const Columns columns = split(line, delimiter_, scratch);
  const bool names = order_ == ColumnOrder::subject_relation_object;
  const std::string_view order = names ? "subject, relation and object" : "head, tail and relation";
  if (columns.count == 0) {
    return {"a quoted cell is not closed before the next comma or the end of the line", "",
            "close it with one \" and double every \" inside it"};
  }
  if (columns.count != 3) {
    return {fmt::format("the line has {} column{} instead of 3", columns.count,
                        columns.count == 1 ? "" : "s"),
            "", fmt::format("separate {} by {}s", order, name_of(delimiter_))};
  }
  const Cells cells = in_order(columns.cells, order_);
  const std::string_view which = cells.subject.empty()    ? "subject"
                                 : cells.relation.empty() ? "relation"
                                                          : "object";
  return {fmt::format("the {} is empty", which), "", "give every fact three names"};
}

Result<Delimiter> read_separated(std::string_view text, const std::string& where, Reading& reading,
                                 Split split_) {
  text = without_bom(text);
  const Delimiter delimiter = guess_delimiter(text).delimiter;
  LinesOptions options;
  options.entities = reading.entity_kind();
  options.relations = reading.relation_kind();

  const auto lines = sample_lines(text);
  Scratch scratch;
  std::vector<std::string_view> entities;
  std::vector<std::string_view> relations;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Columns columns = split(lines[i], delimiter, scratch);
    if (columns.count != 3) continue;
    const bool names = reading.dataset.entities.find(columns.cells[0]) &&
                       reading.dataset.relations.find(columns.cells[1]) &&
                       reading.dataset.entities.find(columns.cells[2]);
    // Listed names may spell a header by chance: then it is a fact.
    if (i == 0 && is_header(columns) && !(options.entities == CellKind::listed && names)) {
      options.begin = static_cast<std::size_t>(lines[0].data() + lines[0].size() - text.data());
      continue;
    }
    entities.insert(entities.end(), {columns.cells[0], columns.cells[2]});
    relations.push_back(columns.cells[1]);
  }
  if (options.entities == CellKind::listed) {
    options.entities = kind_of(entities, reading.dataset.entities);
  }
  if (options.relations == CellKind::listed) {
    options.relations = kind_of(relations, reading.dataset.relations);
  }
  const SeparatedParser parser(delimiter, ColumnOrder::subject_relation_object);
  LERP_CHECK(read_lines(text, where, reading, split_, parser, options));
  return delimiter;
}

}  // namespace lerpp::formats
