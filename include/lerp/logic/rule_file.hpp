// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/logic/rule_text.hpp>

namespace lerpp {

/// A rule whose body has n groundings between x and y, n > 0, adds to the score of y
///
///     rule.weight() + more * log(1 + n)
///
/// Path rules of one target with the same `group` other than 0 share a logarithm. They have one
/// weight, and add together
///
///     rule.weight() * log(1 + sum over them of more * n)
struct ListedRule {
  Rule rule;
  double more = 0;
  std::uint32_t group = 0;
};

/// Reads rules, one a line, as docs/logic.md spells them, with or without a weight in front, and
/// after it what distilled lists call `more`, and after that a `[group]`. Empty lines and those
/// that start with # count for nothing. `where` names the text in errors.
Result<std::vector<ListedRule>> parse_listed_rules(std::string_view text, const Names& names,
                                                   const std::string& where);
/// Whether a file says of itself that it is a distilled list.
bool looks_like_list(std::string_view text);
/// How a list begins the line that says from how many entities a walk goes on.
inline constexpr std::string_view frontier_line = "# frontier ";
/// What that line says, if there is one.
Result<std::optional<std::uint32_t>> read_frontier(std::string_view text, const std::string& where);
/// The same without `more` and groups.
Result<std::vector<Rule>> parse_rules(std::string_view text, const Names& names,
                                      const std::string& where);

}  // namespace lerpp
