// SPDX-License-Identifier: Apache-2.0
#include "kg/libkge.hpp"

#include <vector>

#include "kg/lines.hpp"
#include "kg/separated.hpp"

namespace lerpp::formats {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// A scalar without its quotes, or without the comment behind it.
std::string_view scalar(std::string_view text) {
  text = trim(text);
  if (text.starts_with('"') || text.starts_with('\'')) {
    const std::size_t end = text.find(text.front(), 1);
    if (end != std::string_view::npos) return text.substr(1, end - 1);
    return text;
  }
  if (text.starts_with('#')) return {};
  return trim(text.substr(0, text.find(" #")));
}

}  // namespace

Result<std::map<std::string, std::string>> read_yaml(std::string_view text,
                                                     const std::string& where) {
  LERP_CHECK(check_utf8(text, where));
  text = without_bom(text);
  struct Level {
    std::size_t indent;
    std::string prefix;
  };
  std::vector<Level> levels;
  std::map<std::string, std::string> values;
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#' || content.starts_with("- ") || content == "-" ||
        content == "---" || content == "...") {
      continue;
    }
    const std::size_t indent = line.find_first_not_of(" \t");
    if (line.substr(0, indent).find('\t') != std::string_view::npos) {
      return fail("the line is indented by a tab", at_line(where, number), "indent by spaces");
    }
    std::size_t colon = content.find(": ");
    if (colon == std::string_view::npos && content.ends_with(':')) colon = content.size() - 1;
    if (colon == std::string_view::npos || colon == 0) {
      return fail("the line is not of the form key: value", at_line(where, number),
                  "write files.train.filename: train.del and the like");
    }
    while (!levels.empty() && levels.back().indent >= indent) levels.pop_back();
    constexpr std::size_t deepest = 32;
    if (levels.size() >= deepest) {
      return fail("maps nest more than 32 deep", at_line(where, number), "write flat keys");
    }
    std::string key = levels.empty() ? "" : levels.back().prefix;
    key += scalar(content.substr(0, colon));
    const std::string_view value = scalar(content.substr(colon + 1));
    if (value.empty()) {
      levels.push_back({indent, key == "dataset" ? "" : key + "."});
      continue;
    }
    if (key.starts_with("dataset.")) key.erase(0, 8);
    values[key] = value;
  }
  return values;
}

Result<void> read_del(std::string_view text, const std::string& where, Reading& reading,
                      Split split) {
  LinesOptions options;
  options.entities = reading.entity_list.empty() ? CellKind::open : CellKind::numbered;
  options.relations = reading.relation_list.empty() ? CellKind::open : CellKind::numbered;
  const SeparatedParser parser(Delimiter::tab, ColumnMap{});
  LERP_CHECK(read_lines(without_bom(text), where, reading, split, parser, options));
  return {};
}

}  // namespace lerpp::formats
