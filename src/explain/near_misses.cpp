// SPDX-License-Identifier: Apache-2.0
#include "explain/near_misses.hpp"

#include <algorithm>

namespace lerpp {
namespace {

/// Entities that are followed on from each hop.
constexpr std::size_t frontier = 50;

/// What an operator leads to from any of some entities.
std::vector<EntityId> step(const VisibleGraph& graph, const std::vector<EntityId>& from,
                           OperatorId op) {
  std::vector<EntityId> reached;
  for (const EntityId entity : from) {
    const bool full = graph.any(entity, op, [&](EntityId next) {
      if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
      return reached.size() >= frontier;
    });
    if (full) break;
  }
  return reached;
}

struct Gap {
  std::size_t hop = 0;  ///< counted from 0
  EntityId from = 0;
  EntityId to = 0;
  int likelihood = -1;
};

class GapFinder {
 public:
  GapFinder(const VisibleGraph& graph, EntityId start, EntityId answer)
      : graph_(graph), start_(start), answer_(answer) {}

  /// The likeliest gap of a body; none where it holds, or lacks more than one fact.
  std::optional<Gap> find(const std::vector<OperatorId>& hops, const Fact& asked) const {
    const std::size_t length = hops.size();
    std::vector<std::vector<EntityId>> from = {{start_}};
    std::vector<std::vector<EntityId>> to = {{answer_}};  // from the end
    for (std::size_t k = 0; k + 1 < length; ++k) {
      from.push_back(step(graph_, from.back(), hops[k]));
      to.push_back(step(graph_, to.back(), graph_.graph().inverse(hops[length - 1 - k])));
    }
    Gap best;
    for (std::size_t hop = 0; hop < length; ++hop) {
      for (const EntityId z : from[hop]) {
        for (const EntityId next : to[length - 1 - hop]) {
          if (graph_.contains(z, hops[hop], next)) return std::nullopt;
          if (step_fact(z, hops[hop], next, graph_.graph().relations()) == asked || z == next)
            continue;
          const int likelihood =
              takes_part(z, hops[hop]) + 2 * takes_part(next, graph_.graph().inverse(hops[hop]));
          if (likelihood > best.likelihood) best = {hop, z, next, likelihood};
        }
      }
    }
    return best.likelihood < 0 ? std::nullopt : std::optional(best);
  }

  std::vector<Fact> there(const std::vector<OperatorId>& hops, const Gap& gap) const {
    const auto middle = hops.begin() + static_cast<std::ptrdiff_t>(gap.hop);
    std::vector<Fact> facts;
    add_walk({hops.begin(), middle}, start_, gap.from, facts);
    add_walk({middle + 1, hops.end()}, gap.to, answer_, facts);
    return facts;
  }

 private:
  int takes_part(EntityId entity, OperatorId op) const {
    return graph_.graph().edges(entity, op).empty() ? 0 : 1;
  }

  void add_walk(const std::vector<OperatorId>& hops, EntityId from, EntityId to,
                std::vector<Fact>& facts) const {
    graph_.walks(hops, from, to, [&](const std::vector<EntityId>& walk) {
      for (std::size_t k = 0; k < hops.size(); ++k)
        facts.push_back(step_fact(walk[k], hops[k], walk[k + 1], graph_.graph().relations()));
      return true;
    });
  }

  const VisibleGraph& graph_;
  EntityId start_;
  EntityId answer_;
};

}  // namespace

std::vector<NearMiss> near_misses(const VisibleGraph& graph, const Query& query, EntityId answer,
                                  std::span<const TargetBody> bodies, std::size_t most) {
  const RelationId relations = graph.graph().relations();
  const Fact asked = step_fact(query.start, query.target, answer, relations);
  const GapFinder finder(graph, query.start, answer);
  std::vector<NearMiss> misses;
  for (const TargetBody& body : bodies) {
    if (misses.size() >= most) break;
    const std::optional<Gap> gap = finder.find(body.hops, asked);
    if (!gap) continue;
    const Fact fact = step_fact(gap->from, body.hops[gap->hop], gap->to, relations);
    const bool told = std::any_of(misses.begin(), misses.end(),
                                  [&](const NearMiss& other) { return other.fact == fact; });
    if (!told) misses.push_back({body, fact, finder.there(body.hops, *gap)});
  }
  return misses;
}

std::vector<Explanation::Gap> open_gaps(const VisibleGraph& graph, const Query& query,
                                        EntityId answer, const TargetBody& body) {
  const std::vector<OperatorId>& hops = body.hops;
  std::vector<EntityId> from = {query.start};
  std::size_t first = 0;
  for (; first + 1 < hops.size(); ++first) {
    std::vector<EntityId> next = step(graph, from, hops[first]);
    if (next.empty()) break;
    from = std::move(next);
  }
  std::vector<EntityId> to = {answer};
  std::size_t last = hops.size() - 1;
  for (; last > first; --last) {
    std::vector<EntityId> before = step(graph, to, graph.graph().inverse(hops[last]));
    if (before.empty()) break;
    to = std::move(before);
  }
  std::vector<Explanation::Gap> gaps = {{hops[first], from.front(), true}};
  if (last > first) gaps.push_back({hops[last], to.front(), false});
  return gaps;
}

}  // namespace lerpp
