#include <charconv>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/explain/distill.hpp>
#include <lerp/logic/rule_text.hpp>

namespace lerpp {
namespace {

constexpr std::string_view frontier_line = "# frontier ";

template <class Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Result<ListedRule> parse_line(std::string_view line, const Names& names) {
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first == std::string_view::npos ? first : first + 1);
  double weight = 0;
  double more = 0;
  if (second == std::string_view::npos || !parse(line.substr(0, first), weight) ||
      !parse(line.substr(first + 1, second - first - 1), more)) {
    return fail("the line does not begin with two numbers", "", "write: weight more  body ⇒ head");
  }
  LERP_TRY(rule, parse_rule(line.substr(second + 1), names));
  return ListedRule{with_weight(rule, weight), more};
}

}  // namespace

Result<void> save_rules(const RuleList& list, const Dataset& dataset,
                        const std::filesystem::path& path) {
  const Names names = {dataset.relations, dataset.entities};
  std::string text =
      "# weight more  body ⇒ head: n groundings of the body add weight + more log(1 + n) to the\n"
      "# score of y. Walks go on from at most so many entities that a hop has reached:\n";
  text += fmt::format("{}{}\n", frontier_line, list.frontier);
  for (const auto& [rule, more] : list.rules)
    text += fmt::format("{} {}  {}\n", rule.weight(), more, to_text(rule, names));
  return write_file(path, text);
}

Result<RuleList> load_rules(const std::filesystem::path& path, const Dataset& dataset) {
  const Names names = {dataset.relations, dataset.entities};
  LERP_TRY(bytes, read_file(path));
  RuleList list;
  std::string_view rest = bytes.view();
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string where = fmt::format("{}, line {}", path.string(), number);
    if (line.starts_with(frontier_line)) {
      if (!parse(line.substr(frontier_line.size()), list.frontier) || list.frontier == 0)
        return fail("the frontier is not a positive number", where, "write: # frontier 1000");
      continue;
    }
    if (line.empty() || line.front() == '#') continue;
    Result<ListedRule> rule = parse_line(line, names);
    if (!rule) {
      Error error = rule.error();
      error.where = error.where.empty() ? where : fmt::format("{}, {}", where, error.where);
      return tl::unexpected<Error>(std::move(error));
    }
    list.rules.push_back(std::move(*rule));
  }
  return list;
}

}  // namespace lerpp
