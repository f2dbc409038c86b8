// SPDX-License-Identifier: Apache-2.0
#include "kg/deb822.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kg/readable.hpp"

namespace lerpp {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

bool Deb822Field::is(std::string_view other) const {
  return name.size() == other.size() &&
         std::equal(name.begin(), name.end(), other.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string Deb822Reader::place(std::size_t line) const {
  return fmt::format("{}, line {}", where_, line);
}

std::string_view Deb822Reader::take_line() {
  ++line_;
  const std::size_t end = rest_.find('\n');
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return line;
}

Result<bool> Deb822Reader::next(std::vector<Deb822Field>& paragraph) {
  paragraph.clear();
  while (!rest_.empty()) {
    const std::string_view line = take_line();
    if (trim(line).empty()) {
      if (paragraph.empty()) continue;
      return true;
    }
    if (line.front() == ' ' || line.front() == '\t') {
      if (paragraph.empty()) {
        return fail("the line continues a field, but none came before it", place(line_),
                    "give the text that apt-cache dumpavail prints");
      }
      // Continuation lines follow their field in memory: the view only grows.
      std::string_view& value = paragraph.back().value;
      value = {value.data(), static_cast<std::size_t>(line.data() + line.size() - value.data())};
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      return fail("the line is no \"Field: value\"", place(line_),
                  "give the text that apt-cache dumpavail prints");
    }
    paragraph.push_back({trim(line.substr(0, colon)), line.substr(colon + 1), line_});
  }
  return !paragraph.empty();
}

}  // namespace lerpp
