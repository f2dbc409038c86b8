#include <charconv>

#include <lerp/logic/rule_file.hpp>

#include "kg/lines.hpp"

namespace lerpp {
namespace {

/// Takes a number and the blanks behind it off the front; false where there is none.
bool take_number(std::string_view& rest, double& number) {
  const char* const end = rest.data() + rest.size();
  const auto [past, error] = std::from_chars(rest.data(), end, number);
  if (error != std::errc() || past == end || *past != ' ') return false;
  rest.remove_prefix(static_cast<std::size_t>(past - rest.data()));
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  return true;
}

Result<ListedRule> parse_line(std::string_view line, const Names& names) {
  std::string_view rest = line;
  double weight = 0;
  double more = 0;
  if (take_number(rest, weight) && take_number(rest, more)) {
    LERP_TRY(rule, parse_rule(rest, names));
    return ListedRule{with_weight(rule, weight), more};
  }
  LERP_TRY(rule, parse_rule(line, names));
  return ListedRule{std::move(rule)};
}

}  // namespace

Result<std::vector<ListedRule>> parse_listed_rules(std::string_view text, const Names& names,
                                                   const std::string& where) {
  std::vector<ListedRule> rules;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = formats::take_line(text);
    if (line.empty() || line.front() == '#') continue;
    Result<ListedRule> rule = parse_line(line, names);
    if (!rule) {
      Error& error = rule.error();
      error.where =
          formats::at_line(where, number) + (error.where.empty() ? "" : ", ") + error.where;
      return forward_error(rule);
    }
    rules.push_back(std::move(*rule));
  }
  if (rules.empty()) return fail("the file holds no rules", where, "write one a line");
  return rules;
}

Result<std::vector<Rule>> parse_rules(std::string_view text, const Names& names,
                                      const std::string& where) {
  LERP_TRY(listed, parse_listed_rules(text, names, where));
  std::vector<Rule> rules;
  rules.reserve(listed.size());
  for (ListedRule& one : listed) rules.push_back(std::move(one.rule));
  return rules;
}

}  // namespace lerpp
