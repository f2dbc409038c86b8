// SPDX-License-Identifier: Apache-2.0
#include "read/folds.hpp"

#include "base/random.hpp"

namespace lerpp {

Folds::Folds(const Graph& graph, std::size_t count) : count_(count) {
  std::vector<std::vector<Fact>> facts(count);
  for (EntityId subject = 0; subject < graph.entities(); ++subject) {
    for (const Edge& edge : graph.edges(subject)) {
      if (edge.op >= graph.relations()) continue;
      const Fact fact = {subject, edge.op, edge.target};
      facts[number(fact)].push_back(fact);
    }
  }
  masks_.reserve(count);
  for (const std::vector<Fact>& part : facts) masks_.emplace_back(graph).hide(part);
}

std::size_t Folds::number(const Fact& fact) const {
  const std::uint64_t ends = std::uint64_t{fact.subject} << 32U | fact.object;
  return static_cast<std::size_t>(Random(ends, fact.relation).below(count_));
}

}  // namespace lerpp
