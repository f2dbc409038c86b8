#include "kg/names.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "kg/lines.hpp"

namespace lerpp::formats {
namespace {

struct Line {
  std::string_view text;
  std::uint64_t number = 0;  ///< in the file, from 1
};

std::vector<Line> lines_of(std::string_view text, std::uint64_t first) {
  std::vector<Line> lines;
  for (std::uint64_t number = first; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (!line.empty()) lines.push_back({line, number});
  }
  return lines;
}

struct Entry {
  std::string_view id;
  std::string_view name;
};

/// Cuts a line at its tab, or at its blanks where it has no tab.
Entry cut(std::string_view line, bool id_first) {
  const bool tab = line.find('\t') != std::string_view::npos;
  const std::string_view marks = tab ? "\t" : " ";
  if (id_first) {
    const std::size_t end = line.find_first_of(marks);
    if (end == std::string_view::npos) return {};
    const std::size_t next = tab ? end + 1 : line.find_first_not_of(marks, end);
    if (next == std::string_view::npos) return {};
    return {line.substr(0, end), line.substr(next)};
  }
  if (!tab) line = line.substr(0, line.find_last_not_of(marks) + 1);
  const std::size_t last = line.find_last_of(marks);
  if (last == std::string_view::npos) return {};
  const std::size_t name_end = tab ? last : line.find_last_not_of(marks, last) + 1;
  return {line.substr(last + 1), line.substr(0, name_end)};
}

/// The names by id, where the ids of one column count from 0 to n - 1; else the first line in the
/// way, and why.
struct Attempt {
  std::vector<std::size_t> order;  ///< for each id its line
  std::size_t bad = 0;
  std::string why;  ///< empty where all is well
};

Attempt try_ids(const std::vector<Line>& lines, bool id_first) {
  Attempt attempt;
  attempt.order.assign(lines.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Entry entry = cut(lines[i].text, id_first);
    const auto id = parse_number(entry.id);
    attempt.bad = i;
    if (!id) {
      attempt.why = "the line does not hold an id and a name";
    } else if (*id >= lines.size()) {
      attempt.why =
          fmt::format("the id {} is not below the number of names, {}", *id, lines.size());
    } else if (attempt.order[*id] != lines.size()) {
      attempt.why = fmt::format("the id {} is given twice", *id);
    } else {
      attempt.order[*id] = i;
      continue;
    }
    return attempt;
  }
  return attempt;
}

Result<Vocabulary> number(const std::vector<Line>& lines, const std::vector<std::size_t>& order,
                          std::optional<bool> id_first, const std::string& where) {
  Vocabulary names;
  names.reserve(lines.size(), 0);
  for (const std::size_t i : order) {
    const std::string_view name = id_first ? cut(lines[i].text, *id_first).name : lines[i].text;
    if (name.empty()) {
      return fail("the name is empty", at_line(where, lines[i].number), "give every id a name");
    }
    const auto before = names.size();
    names.intern(name);
    if (names.size() == before) {
      return fail(fmt::format("the name {} is listed twice", quoted(name)),
                  at_line(where, lines[i].number), "remove one of the two");
    }
  }
  return names;
}

}  // namespace

Result<std::uint64_t> take_count(std::string_view& rest, const std::string& where) {
  std::string_view line = take_line(rest);
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  const auto count = parse_number(line);
  if (!count) {
    return fail("the first line is not a count", at_line(where, 1),
                "start the file with the number of lines that follow");
  }
  return *count;
}

Error wrong_count(std::uint64_t said, std::uint64_t found, std::string_view what,
                  const std::string& where) {
  return {fmt::format("the first line says {} {} but {} follow", said, what, found),
          at_line(where, 1), "correct the count or fetch the file again"};
}

Result<NamesFile> read_names(std::string_view text, const std::string& where, NamesKind kind) {
  LERP_CHECK(check_utf8(text, where));
  text = without_bom(text);
  const bool counted = kind == NamesKind::counted;
  std::uint64_t count = 0;
  if (counted) {
    LERP_TRY(said, take_count(text, where));
    count = said;
  }
  const std::vector<Line> lines = lines_of(text, counted ? 2 : 1);
  if (counted && count != lines.size()) {
    return tl::unexpected(wrong_count(count, lines.size(), "names", where));
  }
  if (lines.empty()) {
    return fail("the file lists no names", where, "put the names into it or remove it");
  }

  const auto has_tab = [](const Line& line) {
    return line.text.find('\t') != std::string_view::npos;
  };
  if (kind == NamesKind::list && std::none_of(lines.begin(), lines.end(), has_tab)) {
    std::vector<std::size_t> order(lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    LERP_TRY(names, number(lines, order, std::nullopt, where));
    return NamesFile{std::move(names), false};
  }
  // Where both columns would do, each kind of file has its own habit.
  const bool usual = !counted;
  Attempt attempt = try_ids(lines, usual);
  bool id_first = usual;
  if (!attempt.why.empty()) {
    Attempt other = try_ids(lines, !usual);
    if (other.why.empty() || other.bad > attempt.bad) {
      attempt = std::move(other);
      id_first = !usual;
    }
  }
  if (!attempt.why.empty()) {
    return fail(attempt.why, at_line(where, lines[attempt.bad].number),
                "one column must number the names from 0, each once");
  }
  LERP_TRY(names, number(lines, attempt.order, id_first, where));
  return NamesFile{std::move(names), true};
}

}  // namespace lerpp::formats
