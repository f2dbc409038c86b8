// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include <lerp/logic/evaluate.hpp>

namespace lerpp {

/// Formulas in a graph less one fact. Only entities near the fact can change, so each formula keeps
/// its set from the whole graph and a short list of exceptions.
class Hidden {
 public:
  Hidden(Evaluator& evaluator, const Fact& fact) : evaluator_(evaluator), fact_(fact) {}

  bool holds(const Formula& formula, EntityId entity);
  bool hides(EntityId from, const Edge& edge) const {
    const RelationId relations = evaluator_.graph().relations();
    return (from == fact_.subject && edge == Edge{fact_.relation, fact_.object}) ||
           (from == fact_.object && edge == Edge{relations + fact_.relation, fact_.subject});
  }

 private:
  const std::vector<EntityId>& exceptions(const Formula& formula);
  /// The entities that may be exceptions, some of them several times.
  std::vector<EntityId> candidates(const Formula& formula);
  /// The value at one entity, from the values of the parts.
  bool compute(const Formula& formula, EntityId entity);

  Evaluator& evaluator_;
  Fact fact_;
  std::unordered_map<Formula, std::vector<EntityId>> known_;
};

}  // namespace lerpp
