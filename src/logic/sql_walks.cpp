// SPDX-License-Identifier: Apache-2.0
#include "logic/sql_walks.hpp"

#include <algorithm>

namespace lerpp {
namespace {

/// What a step from a table of walks reaches, as the columns of a SELECT and all that follows.
struct Reached {
  std::string start;
  std::string stop;
  std::string count;
  std::string rest;
};

Reached reach(const SqlHop& hop, const std::string& before) {
  Reached out = {std::string(hop.from()), std::string(hop.to()), "1", ""};
  std::string where = hop.where;
  if (before.empty()) {
    out.rest = fmt::format("FROM {} AS t", hop.table);
  } else {
    const std::string meet = fmt::format("{} = w.stop", hop.from());
    where = where.empty() ? meet : meet + "\n  AND " + where;
    out.start = "w.start";
    out.count = "CAST(sum(w.n) AS BIGINT)";
    out.rest = fmt::format("FROM {} AS w, {} AS t", before, hop.table);
  }
  if (!where.empty()) out.rest += "\nWHERE " + where;
  if (!before.empty()) out.rest += fmt::format("\nGROUP BY {}, {}", out.start, out.stop);
  return out;
}

std::string insert(const SqlWalks::Rule& rule, const Reached& from) {
  return fmt::format("{}INSERT INTO found\nSELECT {}, {}, {}, {}\n{};\n\n", rule.introduction,
                     rule.number, rule.from_subject ? from.start : from.stop,
                     rule.from_subject ? from.stop : from.start, from.count, from.rest);
}

}  // namespace

void SqlWalks::add(const std::vector<SqlHop>& hops, Rule rule) {
  Node* node = &root_;
  for (const SqlHop& hop : hops) {
    auto place = std::ranges::find(node->next, hop, [](const auto& one) { return one->hop; });
    if (place == node->next.end()) {
      place = node->next.insert(place, std::make_unique<Node>(Node{hop, {}, {}}));
    }
    node = place->get();
  }
  node->rules.push_back(std::move(rule));
}

std::string SqlWalks::statements() const {
  std::string out;
  std::size_t tables = 0;
  for (const auto& first : root_.next) visit(*first, "", tables, out);
  return out;
}

/// A node that one rule alone needs is its statement; others are tables while they are needed.
void SqlWalks::visit(const Node& node, const std::string& before, std::size_t& tables,
                     std::string& out) {
  const Reached reached = reach(node.hop, before);
  if (node.next.empty() && node.rules.size() == 1) {
    out += insert(node.rules.front(), reached);
    return;
  }
  const std::string name = fmt::format("walk_{}", ++tables);
  out += fmt::format(
      "CREATE TEMPORARY TABLE {0} (start INTEGER, stop INTEGER, n BIGINT);\n"
      "INSERT INTO {0}\nSELECT {1}, {2}, {3}\n{4};\n\n",
      name, reached.start, reached.stop, reached.count, reached.rest);
  for (const Rule& rule : node.rules) {
    out += insert(rule, {"w.start", "w.stop", "w.n", fmt::format("FROM {} AS w", name)});
  }
  for (const auto& next : node.next) visit(*next, name, tables, out);
  out += fmt::format("DROP TABLE {};\n\n", name);
}

}  // namespace lerpp
