#pragma once

#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/support.hpp>

#include "logic/walk.hpp"

namespace lerpp {

/// The pairs of different entities that a rule's body leads to; from a sample of the starts where
/// all would take too long.
class BodyPairs {
 public:
  /// `work` is about how many steps may be walked.
  BodyPairs(const Rule& rule, Evaluator& evaluator, double work);

  /// Of the starts that are walked.
  double share() const { return share_; }

  /// Calls action(x, y) for each pair, by rising x.
  template <class Action>
  void for_each(Action&& action) {
    evaluator_(rule_.constraints().front()).for_each([&](EntityId x) {
      if (!in_sample(x, share_)) return;
      for (const EntityId y : walk_.from(x).back()) {
        if (x != y) action(x, y);
      }
    });
  }

 private:
  const Rule& rule_;
  Evaluator& evaluator_;
  Walk walk_;
  double share_ = 1;
};

}  // namespace lerpp
