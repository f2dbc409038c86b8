// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/explain/explain.hpp>

#include "explain/witness.hpp"

namespace lerpp {

/// Finds the facts behind reasons.
class Prover {
 public:
  Prover(const VisibleGraph& graph, const Query& query, EntityId answer, std::size_t most)
      : graph_(graph), query_(query), answer_(answer), most_(most) {}

  /// Completes the groundings that a reason has, and adds others up to the limit.
  void prove(Explanation::Reason& reason) const;

 private:
  void follow(Explanation::Reason& reason) const;
  void look(Explanation::Reason& reason) const;
  void compare_others(Explanation::Reason& reason) const;
  bool fulfils(const Rule& rule, const std::vector<EntityId>& entities) const;
  void complete(const Rule& rule, Explanation::Grounding& grounding) const;

  const VisibleGraph& graph_;
  Query query_;
  EntityId answer_;
  std::size_t most_;
};

}  // namespace lerpp
