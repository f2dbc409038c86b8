// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include <lerp/logic/rule_file.hpp>

#include "kg/lines.hpp"
#include "logic/parser.hpp"

namespace lerpp {
namespace {

/// Of a rule in a group: sums of such amounts times groundings are numbers above 0.
constexpr double least_amount = 1e-20;
constexpr double most_amount = 1e20;

/// Takes a number and the blanks behind it off the front; false where there is none.
bool take_number(std::string_view& rest, double& number) {
  const char* const end = rest.data() + rest.size();
  const auto [past, error] = std::from_chars(rest.data(), end, number);
  if (error != std::errc() || past == end || *past != ' ') return false;
  rest.remove_prefix(static_cast<std::size_t>(past - rest.data()));
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  return true;
}

/// Takes "[3]" and the blanks behind it off the front; false where there is none.
bool take_group(std::string_view& rest, std::uint32_t& group) {
  const std::size_t close = rest.find("] ");
  if (!rest.starts_with('[') || close == std::string_view::npos) return false;
  const auto number = formats::parse_number(rest.substr(1, close - 1));
  if (!number || *number == 0 || *number > std::numeric_limits<std::uint32_t>::max()) return false;
  group = static_cast<std::uint32_t>(*number);
  rest.remove_prefix(close + 1);
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  return true;
}

Result<ListedRule> parse_line(std::string_view line, const Names& names) {
  std::string_view rest = line;
  // Columns in errors count from the start of the line.
  const auto rule_behind = [&] { return parse_rule_from(line, line.size() - rest.size(), names); };
  double weight = 0;
  double more = 0;
  if (take_number(rest, weight) && take_number(rest, more)) {
    std::uint32_t group = 0;
    const bool grouped = take_group(rest, group);
    LERP_TRY(rule, rule_behind());
    if (!std::isfinite(weight) || !std::isfinite(more))
      return fail("a number in front of a rule that is not finite", "", "write a number");
    if (grouped && rule.is_pair())
      return fail("a rule without a path is in a group", "", "leave out the group");
    if (grouped && !(more >= least_amount && more <= most_amount)) {
      return fail("the second number of a rule in a group is too small or too large", "",
                  fmt::format("write one from {} to {}", least_amount, most_amount));
    }
    return ListedRule{with_weight(rule, weight), more, group};
  }
  LERP_TRY(rule, parse_rule(line, names));
  return ListedRule{std::move(rule)};
}

/// Finds rules that say the same of the same head: only one of them would count.
class Repeats {
 public:
  explicit Repeats(const Names& names) : names_(names) {}

  Result<void> add(const Rule& rule, std::size_t line, const std::string& where) {
    const auto [first, is_new] = lines_.try_emplace(to_text(with_weight(rule, 1), names_), line);
    if (is_new) return {};
    return fail("the rule stands in the file twice", formats::at_line(where, line),
                fmt::format("keep this line or line {}, or add up their weights", first->second));
  }

 private:
  const Names& names_;
  std::unordered_map<std::string, std::size_t> lines_;
};

}  // namespace

Result<std::vector<ListedRule>> parse_listed_rules(std::string_view text, const Names& names,
                                                   const std::string& where) {
  std::vector<ListedRule> rules;
  std::map<std::pair<OperatorId, std::uint32_t>, double> weights;  // of the groups
  Repeats repeats(names);
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
    const double weight = rule->rule.weight();
    if (rule->group != 0 &&
        weights.try_emplace({rule->rule.target(), rule->group}, weight).first->second != weight) {
      return fail(fmt::format("group {} has two weights", rule->group),
                  formats::at_line(where, number), "give all rules of a group the same weight");
    }
    LERP_CHECK(repeats.add(rule->rule, number, where));
    rules.push_back(std::move(*rule));
  }
  if (rules.empty()) return fail("the file holds no rules", where, "write one a line");
  return rules;
}

bool looks_like_list(std::string_view text) {
  return text.starts_with("# weight more");
}

Result<std::optional<std::uint32_t>> read_frontier(std::string_view text,
                                                   const std::string& where) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = formats::take_line(text);
    if (!line.starts_with(frontier_line)) continue;
    const auto frontier = formats::parse_number(line.substr(frontier_line.size()));
    if (!frontier || *frontier == 0 || *frontier > std::numeric_limits<std::uint32_t>::max()) {
      return fail("the frontier is not a positive number", formats::at_line(where, number),
                  "write: # frontier 1000");
    }
    return static_cast<std::uint32_t>(*frontier);
  }
  return std::nullopt;
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
