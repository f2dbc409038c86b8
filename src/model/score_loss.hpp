// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/kg/fact.hpp>

#include "model/buffer.hpp"

namespace lerpp {

/// The cross-entropy of one query over the scores of all entities, and its gradient as a list.
///
/// Almost all of the gradient is tiny. With `thin` > 0 an entry below it is kept with probability
/// entry / thin and then counts `thin`: the expectation is exact, and the way back is short.
template <class Real>
class ScoreLoss {
 public:
  struct Question {
    EntityId answer = 0;
    double weight = 1;  ///< of this query in the loss
    double thin = 0;    ///< of the share of an entity, before `weight`
    double draw = 0;    ///< a random number in [0, 1)
  };

  /// Takes the scores; those that do not count are to be `nothing`. Returns the weighted loss.
  double evaluate(std::span<Real> scores, const Question& question);

  std::span<const EntityId> entities() const { return entities_; }
  std::span<const Real> gradient() const { return gradient_; }

  /// The score of an entity that must not count.
  static constexpr Real nothing = static_cast<Real>(-1e30);

 private:
  void keep(EntityId entity, double value) {
    entities_.push_back(entity);
    gradient_.push_back(static_cast<Real>(value));
  }

  Buffer<Real> sums_, most_;
  std::vector<EntityId> entities_;
  std::vector<Real> gradient_;
};

}  // namespace lerpp
