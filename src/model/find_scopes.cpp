// SPDX-License-Identifier: Apache-2.0
#include "model/find_scopes.hpp"

#include <algorithm>
#include <utility>

namespace lerpp {
namespace {

/// So few operators every target has.
constexpr std::size_t few_operators = 64;
/// The most frequent operators of a graph, which every target has.
constexpr std::size_t common_operators = 32;
/// Operators of a target, at most: the more relations, the fewer, so that the weights of all
/// targets grow no faster than the relations.
constexpr std::size_t most_operators = 512;
constexpr std::size_t least_operators = 128;
/// Entities that show what an operator is found beside.
constexpr std::size_t most_examples = 256;

struct Counted {
  OperatorId op = 0;
  std::uint32_t times = 0;
};

/// The most frequent first.
void sort_by_times(std::vector<Counted>& counted) {
  std::ranges::sort(counted, [](const Counted& a, const Counted& b) {
    return a.times != b.times ? a.times > b.times : a.op < b.op;
  });
}

/// Calls action(op) for each distinct operator of an entity, however many edges have it.
template <class Action>
void for_each_operator(const Graph& graph, EntityId entity, const Action& action) {
  const std::span<const Edge> edges = graph.edges(entity);
  for (auto edge = edges.begin(); edge != edges.end();) {
    const OperatorId op = edge->op;
    action(op);
    // Rows are sorted; most operators have few edges, and a hub's may have a million.
    if (++edge == edges.end() || edge->op != op) continue;
    edge = std::upper_bound(edge, edges.end(), op,
                            [](OperatorId wanted, const Edge& at) { return wanted < at.op; });
  }
}

class ScopeFinder {
 public:
  ScopeFinder(const Graph& graph, std::uint32_t length, Team& team)
      : graph_(graph),
        length_(length),
        team_(team),
        most_(std::clamp(most_operators * most_operators / graph.operators(), least_operators,
                         most_operators)) {
    find_examples();
    find_company();
  }

  std::vector<std::vector<OperatorId>> find() const {
    std::vector<std::vector<OperatorId>> scopes(graph_.operators());
    team_.each(scopes.size(), [&](unsigned /*worker*/, std::size_t target) {
      scopes[target] = scope(static_cast<OperatorId>(target));
    });
    return scopes;
  }

 private:
  /// Some entities of each operator, evenly spread.
  void find_examples() {
    const OperatorId operators = graph_.operators();
    std::vector<std::uint32_t> entities(operators);
    for (EntityId entity = 0; entity < graph_.entities(); ++entity)
      for_each_operator(graph_, entity, [&](OperatorId op) { ++entities[op]; });
    examples_.resize(operators);
    std::vector<std::uint32_t> seen(operators);
    for (EntityId entity = 0; entity < graph_.entities(); ++entity) {
      for_each_operator(graph_, entity, [&](OperatorId op) {
        const std::size_t stride = (entities[op] + most_examples - 1) / most_examples;
        if (seen[op]++ % stride == 0) examples_[op].push_back(entity);
      });
    }
    std::vector<Counted> all;
    for (OperatorId op = 0; op < operators; ++op) all.push_back({op, entities[op]});
    sort_by_times(all);
    all.resize(std::min(all.size(), common_operators));
    for (const Counted& counted : all) common_.push_back(counted.op);
  }

  /// The operators that entities with an operator have besides.
  void find_company() {
    company_.resize(graph_.operators());
    std::vector<std::vector<std::uint32_t>> counts(team_.size());
    team_.each(company_.size(), [&](unsigned worker, std::size_t op) {
      std::vector<std::uint32_t>& times = counts[worker];
      times.resize(graph_.operators());
      std::vector<Counted> found;
      for (const EntityId entity : examples_[op]) {
        for_each_operator(graph_, entity, [&](OperatorId beside) {
          if (times[beside]++ == 0) found.push_back({beside, 0});
        });
      }
      for (Counted& counted : found) counted.times = std::exchange(times[counted.op], 0);
      sort_by_times(found);
      found.resize(std::min(found.size(), most_));
      for (const Counted& counted : found) company_[op].push_back(counted.op);
    });
  }

  /// Where the facts of a target start, its operator is among those of the entity; where they end,
  /// its inverse is.
  std::vector<OperatorId> scope(OperatorId target) const {
    const std::size_t most = std::min<std::size_t>(most_, graph_.operators());
    std::vector<OperatorId> scope;
    std::vector<bool> has(graph_.operators());
    const auto add = [&](const std::vector<OperatorId>& operators) {
      for (const OperatorId op : operators) {
        if (scope.size() == most) return;
        if (has[op]) continue;
        has[op] = true;
        scope.push_back(op);
      }
    };
    add({target, graph_.inverse(target)});
    add(common_);
    add(company_[target]);
    add(company_[graph_.inverse(target)]);
    std::vector<bool> followed(graph_.operators());
    std::vector<OperatorId> last = company_[target];
    for (std::uint32_t hop = 1; hop < length_ && scope.size() < most; ++hop) {
      std::vector<OperatorId> next;
      for (const OperatorId op : last) {
        if (followed[op]) continue;
        followed[op] = true;
        const std::vector<OperatorId>& behind = company_[graph_.inverse(op)];
        add(behind);
        next.insert(next.end(), behind.begin(), behind.end());
      }
      last = std::move(next);
    }
    std::ranges::sort(scope);
    return scope;
  }

  const Graph& graph_;
  std::uint32_t length_;
  Team& team_;
  std::size_t most_;                              ///< operators of a target
  std::vector<std::vector<EntityId>> examples_;   ///< by operator
  std::vector<std::vector<OperatorId>> company_;  ///< by operator
  std::vector<OperatorId> common_;
};

}  // namespace

Scopes find_scopes(const Graph& graph, const PathTable* paths, std::uint32_t length, Team& team) {
  const OperatorId targets = graph.operators();
  std::vector<std::uint32_t> counts(targets);
  if (paths != nullptr) {
    for (OperatorId target = 0; target < targets; ++target)
      counts[target] = static_cast<std::uint32_t>(paths->of(target).size());
  }
  Scopes scopes = targets <= few_operators
                      ? Scopes::all(counts)
                      : Scopes(ScopeFinder(graph, length, team).find(), counts);
  return paths == nullptr && !scopes.lacks_operators() ? Scopes() : scopes;
}

}  // namespace lerpp
