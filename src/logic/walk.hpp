// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/logic/evaluate.hpp>

#include "logic/hidden.hpp"

namespace lerpp {

/// Follows a rule's hops from one start after the other; keeps its scratch memory between them.
class Walk {
 public:
  Walk(const Rule& rule, Evaluator& evaluator);

  /// The entities that variable k can be, for each k, given the start and what stands before k.
  /// Valid until the next call; not sorted.
  const std::vector<std::vector<EntityId>>& from(EntityId start, Hidden* hidden = nullptr);
  /// The entities of one proof, first to last; empty where there is none.
  std::vector<EntityId> prove(EntityId start, EntityId answer, Hidden* hidden = nullptr);
  bool allows(std::size_t variable, EntityId entity, Hidden* hidden) const;

 private:
  void step(std::size_t hop, Hidden* hidden);

  const Rule& rule_;
  const Graph& graph_;
  std::vector<const EntitySet*> allowed_;  ///< null where everything is
  std::vector<std::vector<EntityId>> layers_;
  EntitySet seen_;
};

}  // namespace lerpp
