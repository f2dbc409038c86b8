#include <limits>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/explain/distill.hpp>
#include <lerp/logic/rule_text.hpp>

#include "kg/lines.hpp"

namespace lerpp {
namespace {

constexpr std::string_view frontier_line = "# frontier ";

/// What the file says of the frontier, or that of a list that says nothing.
Result<std::uint32_t> read_frontier(std::string_view text, const std::string& where) {
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
  return RuleList().frontier;
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
  LERP_TRY(bytes, read_file(path));
  LERP_TRY(frontier, read_frontier(bytes.view(), path.string()));
  LERP_TRY(rules,
           parse_listed_rules(bytes.view(), {dataset.relations, dataset.entities}, path.string()));
  return RuleList{std::move(rules), frontier};
}

}  // namespace lerpp
