// SPDX-License-Identifier: Apache-2.0
#include "kg/names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "kg/lines.hpp"
#include "kg/reading.hpp"

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

/// Numbers names as they come. A block of them is hashed at once, so that the memory they need is
/// on its way.
class Numbering {
 public:
  Numbering(std::size_t names, std::size_t characters, const std::string& where,
            const Observer& observer)
      : where_(where), observer_(observer) {
    names_.reserve(names, characters);
  }

  Result<void> add(const Line& name) {
    names_.prefetch(hashes_[waiting_] = Vocabulary::hash(name.text));
    block_[waiting_++] = name;
    return waiting_ == block_.size() ? flush() : Result<void>();
  }
  Result<Vocabulary> finish() {
    LERP_CHECK(flush());
    return std::move(names_);
  }

 private:
  Result<void> flush() {
    if (observer_.stopped()) return tl::unexpected(stopped_error(where_));
    for (std::size_t i = 0; i < waiting_; ++i) {
      const auto before = names_.size();
      names_.intern(block_[i].text, hashes_[i]);
      if (names_.size() > before) continue;
      return fail(fmt::format("the name {} is listed twice", quoted(block_[i].text)),
                  at_line(where_, block_[i].number), "remove one of the two");
    }
    waiting_ = 0;
    return {};
  }

  const std::string& where_;
  const Observer& observer_;
  Vocabulary names_;
  std::array<Line, 64> block_;
  std::array<std::uint64_t, 64> hashes_;
  std::size_t waiting_ = 0;
};

Result<Vocabulary> number(const std::vector<Line>& lines, const Attempt& ids, bool id_first,
                          const std::string& where, const Observer& observer) {
  Numbering numbering(lines.size(), 0, where, observer);
  for (const std::size_t i : ids.order) {
    const std::string_view name = cut(lines[i].text, id_first).name;
    if (name.empty()) {
      return fail("the name is empty", at_line(where, lines[i].number), "give every id a name");
    }
    LERP_CHECK(numbering.add({name, lines[i].number}));
  }
  return numbering.finish();
}

/// One name a line.
Result<Vocabulary> plain_names(std::string_view text, const std::string& where,
                               const Observer& observer) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  Numbering numbering(lines, text.size(), where, observer);
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::string_view name = take_line(text);
    if (!name.empty()) LERP_CHECK(numbering.add({name, line}));
  }
  return numbering.finish();
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

Result<NamesFile> read_names(std::string_view text, const std::string& where, NamesKind kind,
                             const Observer& observer) {
  LERP_CHECK(check_utf8(text, where));
  text = without_bom(text);
  const bool counted = kind == NamesKind::counted;
  std::uint64_t count = 0;
  if (counted) {
    LERP_TRY(said, take_count(text, where));
    count = said;
  }
  const tl::unexpected<Error> no_names =
      fail("the file lists no names", where, "put the names into it or remove it");
  if (kind == NamesKind::list && text.find('\t') == std::string_view::npos) {
    LERP_TRY(names, plain_names(text, where, observer));
    if (names.empty()) return no_names;
    return NamesFile{std::move(names), false};
  }
  const std::vector<Line> lines = lines_of(text, counted ? 2 : 1);
  if (counted && count != lines.size()) {
    return tl::unexpected(wrong_count(count, lines.size(), "names", where));
  }
  if (lines.empty()) return no_names;
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
  LERP_TRY(names, number(lines, attempt, id_first, where, observer));
  return NamesFile{std::move(names), true};
}

}  // namespace lerpp::formats
