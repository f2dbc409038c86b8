// SPDX-License-Identifier: Apache-2.0
#include "explain/habits.hpp"

#include <algorithm>

namespace lerpp {
namespace {

/// Counts above this are one.
constexpr std::size_t most_answers = 64;

}  // namespace

Habits::Habits(const Graph& graph)
    : graph_(graph),
      facts_(graph.relations()),
      loops_(graph.relations()),
      having_(graph.operators()),
      either_(graph.relations()) {
  std::vector<OperatorId> sides;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    sides.clear();
    const std::span<const Edge> row = graph.edges(entity);
    for (std::size_t first = 0; first < row.size();) {
      const OperatorId op = row[first].op;
      std::size_t last = first;
      for (; last < row.size() && row[last].op == op; ++last) {
        if (op >= graph.relations()) continue;
        ++facts_[op];
        if (row[last].target == entity) ++loops_[op];
      }
      const std::size_t answers = std::min(last - first, most_answers);
      if (having_[op].size() < answers) having_[op].resize(answers);
      for (std::size_t n = 0; n < answers; ++n) ++having_[op][n];
      sides.push_back(op);
      first = last;
    }
    for (const OperatorId a : sides) {
      for (const OperatorId b : sides) {
        if (a < b) ++both_[std::uint64_t{a} << 32U | b];
      }
      if (a < graph.relations() && std::ranges::binary_search(sides, graph.inverse(a)))
        ++either_[a];
    }
  }
  implied_.resize(graph.operators());
  for (const auto& [pair, count] : both_) {
    const auto a = static_cast<OperatorId>(pair >> 32U);
    const auto b = static_cast<OperatorId>(pair);
    if (2 * count >= having(a, 1)) implied_[a].push_back(b);
    if (2 * count >= having(b, 1)) implied_[b].push_back(a);
  }
}

std::vector<OperatorId> Habits::suited(EntityId entity) const {
  std::vector<OperatorId> all = sides(entity);
  for (std::size_t i = 0, own = all.size(); i < own; ++i)
    all.insert(all.end(), implied_[all[i]].begin(), implied_[all[i]].end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double Habits::loop_chance(RelationId relation) const {
  constexpr std::uint64_t enough = 10;  // facts, to believe that there are none
  if (loops_[relation] == 0 && facts_[relation] >= enough) return 0;
  return (static_cast<double>(loops_[relation]) + 0.5) /
         (static_cast<double>(either_[relation]) + 1 +
          0.01 * static_cast<double>(facts_[relation]));
}

std::uint64_t Habits::having(OperatorId op, std::size_t answers) const {
  if (answers == 0) return graph_.entities();
  answers = std::min(answers, most_answers);
  return answers <= having_[op].size() ? having_[op][answers - 1] : 0;
}

double Habits::more(OperatorId op, std::size_t answers) const {
  answers = std::min(answers, most_answers - 1);
  return (static_cast<double>(having(op, answers + 1)) + 0.5) /
         (static_cast<double>(having(op, answers)) + 1);
}

std::uint64_t Habits::both(OperatorId a, OperatorId b) const {
  const auto found = both_.find(std::uint64_t{std::min(a, b)} << 32U | std::max(a, b));
  return found == both_.end() ? 0 : found->second;
}

double Habits::share(OperatorId given, OperatorId op) const {
  return (static_cast<double>(both(given, op)) + 0.5) / (static_cast<double>(having(given, 1)) + 1);
}

std::vector<OperatorId> Habits::sides(EntityId entity) const {
  std::vector<OperatorId> sides;
  for (const Edge& edge : graph_.edges(entity)) {
    if (sides.empty() || sides.back() != edge.op) sides.push_back(edge.op);
  }
  return sides;
}

Habits::Fit Habits::fit(EntityId entity, OperatorId op, std::size_t hidden) const {
  if (graph_.edges(entity, op).size() > hidden) return {1, 1, op};
  const std::vector<OperatorId> own = sides(entity);
  Fit fit{0, 1, op};
  for (const OperatorId side : own) {
    if (side == op) continue;
    const double said = share(side, op);
    fit.best = std::max(fit.best, said);
    if (said < fit.worst) {
      fit.worst = said;
      fit.against = side;
    }
  }
  if (fit.best == 0) {
    const double any = more(op, 0);
    return {any, any, op};
  }
  return fit;
}

}  // namespace lerpp
