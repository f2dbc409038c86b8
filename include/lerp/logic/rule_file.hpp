#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/logic/rule_text.hpp>

namespace lerpp {

/// A rule whose body has n groundings between x and y, n > 0, adds to the score of y
///
///     rule.weight() + more * log(1 + n)
struct ListedRule {
  Rule rule;
  double more = 0;
};

/// Reads rules, one a line, as docs/logic.md spells them, with or without a weight in front, and
/// after it what distilled lists call `more`. Empty lines and those that start with # count for
/// nothing. `where` names the text in errors.
Result<std::vector<ListedRule>> parse_listed_rules(std::string_view text, const Names& names,
                                                   const std::string& where);
/// The same without `more`.
Result<std::vector<Rule>> parse_rules(std::string_view text, const Names& names,
                                      const std::string& where);

}  // namespace lerpp
