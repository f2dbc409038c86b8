#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <lerp/logic/rule_text.hpp>

namespace lerpp {

/// Reads rules, one a line, as docs/logic.md spells them, with or without a weight in front. Empty
/// lines and those that start with # count for nothing. A second number after the weight, which
/// distilled lists have, is read over. `where` names the text in errors.
Result<std::vector<Rule>> parse_rules(std::string_view text, const Names& names,
                                      const std::string& where);

}  // namespace lerpp
