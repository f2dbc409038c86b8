// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/support.hpp>

#include "logic/walk.hpp"

namespace lerpp {

/// Pairs of an entity with itself count for a rule that speaks of nothing else, `x = y`.
inline bool is_distinct(const Rule& rule) {
  return rule.is_pair() || !rule.hops().empty();
}

/// The share of the starts from which a path rule can be followed, masked figures counted, in about
/// so many steps.
double affordable_share(const Rule& rule, const Graph& graph, double steps);

/// How a rule fares, wherever that is shown: masked, over pairs of different entities, and from a
/// sample of the starts where all would take more steps than these.
struct CountedSupport {
  Support support;
  double counted = 1;  ///< share of the starts
};
CountedSupport count_support(const Rule& rule, Evaluator& evaluator, double steps);

/// The pairs that a rule's body leads to, of different entities, from a sample of the starts.
class BodyPairs {
 public:
  BodyPairs(const Rule& rule, Evaluator& evaluator, double share)
      : rule_(rule), evaluator_(evaluator), walk_(rule, evaluator), share_(share) {}

  /// Calls action(x, y) for each pair, by rising x.
  template <class Action>
  void for_each(Action&& action) {
    evaluator_(rule_.constraints().front()).for_each([&](EntityId x) {
      if (!in_sample(x, share_)) return;
      for (const EntityId y : walk_.from(x).back()) {
        if (x != y || !is_distinct(rule_)) action(x, y);
      }
    });
  }

 private:
  const Rule& rule_;
  Evaluator& evaluator_;
  Walk walk_;
  double share_;
};

}  // namespace lerpp
