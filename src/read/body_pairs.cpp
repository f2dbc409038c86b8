// SPDX-License-Identifier: Apache-2.0
#include "read/body_pairs.hpp"

#include <algorithm>

namespace lerpp {
namespace {

/// How many walks along the rule's hops there are, those that counting its masked figures repeats
/// for each fact of the head included. In time linear in the facts.
double steps_of(const Rule& rule, const Graph& graph) {
  std::vector<double> walks(graph.entities(), 1);
  double steps = graph.entities();
  for (auto hop = rule.hops().rbegin(); hop != rule.hops().rend(); ++hop) {
    std::vector<double> before(graph.entities());
    for (EntityId entity = 0; entity < graph.entities(); ++entity) {
      for (const Edge& edge : graph.edges(entity, *hop)) before[entity] += walks[edge.target];
    }
    walks = std::move(before);
  }
  const bool repeated = is_recursive(rule, graph.relations());
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::size_t facts = repeated ? graph.edges(entity, rule.target()).size() : 0;
    steps += walks[entity] * (1 + static_cast<double>(facts));
  }
  return steps;
}

}  // namespace

double affordable_share(const Rule& rule, const Graph& graph, double steps) {
  return std::min(1.0, steps / steps_of(rule, graph));
}

CountedSupport count_support(const Rule& rule, Evaluator& evaluator, double steps) {
  // Pairs of a product are counted, not walked.
  const double share = rule.is_pair() ? 1 : affordable_share(rule, evaluator.graph(), steps);
  return {support(rule, evaluator, {true, is_distinct(rule), share}), share};
}

}  // namespace lerpp
