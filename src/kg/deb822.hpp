// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lerp/base/error.hpp>

namespace lerpp {

/// One `Name: value` of a paragraph. The value runs over its continuation lines and keeps their
/// line breaks and blanks; both are views into the text read.
struct Deb822Field {
  std::string_view name;
  std::string_view value;
  std::size_t line = 0;

  /// Field names are the same in any case.
  bool is(std::string_view other) const;
};

/// Walks the paragraphs of a Debian control file (deb822(5)) without copying it.
class Deb822Reader {
 public:
  Deb822Reader(std::string_view text, std::string where) : rest_(text), where_(std::move(where)) {}

  /// Reads the next paragraph; false at the end of the text.
  Result<bool> next(std::vector<Deb822Field>& paragraph);
  /// "where, line 17"
  std::string place(std::size_t line) const;

 private:
  std::string_view take_line();

  std::string_view rest_;
  std::string where_;
  std::size_t line_ = 0;
};

}  // namespace lerpp
