// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/model/rule_list.hpp>

namespace lerpp {
namespace {

/// What was learned in single precision needs no more digits than that.
std::string short_number(double number) {
  const auto single = static_cast<float>(number);
  return double{single} == number ? fmt::format("{}", single) : fmt::format("{}", number);
}

}  // namespace

Result<void> save_rules(const RuleList& list, const Dataset& dataset,
                        const std::filesystem::path& path) {
  const Names names = {dataset.relations, dataset.entities};
  std::string text =
      "# weight more  body ⇒ head: n groundings of the body add weight + more log(1 + n) to the\n"
      "# score of y. Rules of one head with the same [group] add together weight log(1 + s), "
      "where\n"
      "# n groundings of one add more n to s.\n"
      "# Walks go on from at most so many entities that a hop has reached:\n";
  text += fmt::format("{}{}\n", frontier_line, list.frontier);
  for (const auto& [rule, more, group] : list.rules) {
    text += fmt::format("{} {}{}  {}\n", short_number(rule.weight()), short_number(more),
                        group == 0 ? "" : fmt::format(" [{}]", group), to_text(rule, names));
  }
  return write_file(path, text);
}

Result<RuleList> load_rules(const std::filesystem::path& path, const Dataset& dataset) {
  LERP_TRY(bytes, read_file(path));
  LERP_TRY(frontier, read_frontier(bytes.view(), path.string()));
  LERP_TRY(rules,
           parse_listed_rules(bytes.view(), {dataset.relations, dataset.entities}, path.string()));
  return RuleList{std::move(rules), frontier.value_or(RuleList().frontier)};
}

}  // namespace lerpp
