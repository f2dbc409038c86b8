// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <lerp/model/paths.hpp>

#include "base/random.hpp"

namespace lerpp {

/// How many walks along the operators lead to each entity, one walk after the other, without the
/// hidden facts.
inline void add_walks(const Graph& graph, std::span<const Fact> hidden, EntityId entity,
                      std::span<const OperatorId> operators,
                      std::map<EntityId, std::uint32_t>& flows) {
  if (operators.empty()) {
    ++flows[entity];
    return;
  }
  const OperatorId op = operators.front();
  for (EntityId next = 0; next < graph.entities(); ++next) {
    if (!graph.contains(entity, op, next)) continue;
    const Fact fact = op < graph.relations() ? Fact{entity, op, next}
                                             : Fact{next, op - graph.relations(), entity};
    if (std::find(hidden.begin(), hidden.end(), fact) != hidden.end()) continue;
    add_walks(graph, hidden, next, operators.subspan(1), flows);
  }
}

inline std::map<EntityId, std::uint32_t> walks_by_hand(const Graph& graph,
                                                       std::span<const Fact> hidden, EntityId start,
                                                       const RelationPath& path) {
  std::map<EntityId, std::uint32_t> flows;
  add_walks(graph, hidden, start, path.operators(), flows);
  return flows;
}

/// Every path over so many operators, in order.
inline std::vector<RelationPath> all_paths(OperatorId operators, std::size_t length) {
  std::vector<RelationPath> paths;
  for (OperatorId a = 0; a < operators; ++a) {
    paths.push_back({a});
    for (OperatorId b = 0; b < operators && length > 1; ++b) {
      paths.push_back({a, b});
      for (OperatorId c = 0; c < operators && length > 2; ++c) paths.push_back({a, b, c});
    }
  }
  return paths;
}

/// About `count` paths for each target, drawn from all of them.
inline PathTable random_table(RelationId relations, std::uint32_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<RelationPath>> lists(2 * std::size_t{relations});
  for (std::vector<RelationPath>& list : lists) {
    std::vector<RelationPath> all = all_paths(2 * relations, 3);
    random.shuffle(all);
    const std::size_t size = std::min<std::size_t>(all.size(), random.below(count + 1));
    list.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
  }
  return {relations, count, std::move(lists)};
}

}  // namespace lerpp
