// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <lerp/logic/support.hpp>

#include "base/random.hpp"
#include "logic/walk.hpp"

namespace lerpp {
namespace {

class Counter {
 public:
  Counter(const Rule& rule, Evaluator& evaluator, const SupportOptions& options)
      : rule_(rule),
        evaluator_(evaluator),
        graph_(evaluator.graph()),
        distinct_(options.distinct),
        share_(options.share),
        // Elsewhere the mask changes nothing and the quick way will do.
        masked_(options.masked && is_recursive(rule, graph_.relations())),
        walk_(rule, evaluator) {}

  Support count() {
    const EntitySet& starts = evaluator_(rule_.constraints().front());
    if (rule_.is_pair()) {
      const EntitySet& ends = evaluator_(rule_.constraints().back());
      ends_ = ends.count();
      starts.for_each([&](EntityId x) {
        if (in_sample(x, share_)) count_product(x, ends);
      });
    } else {
      starts.for_each([&](EntityId x) {
        if (in_sample(x, share_)) count_walk(x);
      });
    }
    count_head();
    return tally_;
  }

 private:
  bool counts(EntityId x, EntityId y) const { return !distinct_ || x != y; }

  /// Adds pairs of the body that start at x, so many of them facts of the head.
  void add(EntityId x, std::uint64_t pairs, std::uint64_t facts) {
    // With a mask, facts are asked one by one; the other pairs do not depend on it.
    if (masked_) pairs -= std::exchange(facts, 0);
    tally_.body += pairs;
    tally_.support += facts;
    if (!graph_.edges(x, rule_.target()).empty()) tally_.pca_body += pairs;
  }

  void count_walk(EntityId x) {
    std::uint64_t pairs = 0;
    std::uint64_t facts = 0;
    for (const EntityId y : walk_.from(x).back()) {
      if (!counts(x, y)) continue;
      ++pairs;
      if (graph_.contains(x, rule_.target(), y)) ++facts;
    }
    add(x, pairs, facts);
  }

  void count_product(EntityId x, const EntitySet& ends) {
    std::uint64_t facts = 0;
    for (const Edge& edge : graph_.edges(x, rule_.target())) {
      if (counts(x, edge.target) && ends.contains(edge.target)) ++facts;
    }
    add(x, ends_ - (distinct_ && ends.contains(x) ? 1 : 0), facts);
  }

  /// Every fact, whether its pair was counted or not: a mask can also make a body true, where it
  /// says ¬∃.
  void count_head() {
    const RelationId relations = graph_.relations();
    const OperatorId target = rule_.target();
    for (EntityId x = 0; x < graph_.entities(); ++x) {
      if (!in_sample(x, share_)) continue;
      for (const Edge& edge : graph_.edges(x, target)) {
        const EntityId y = edge.target;
        if (!counts(x, y)) continue;
        ++tally_.head;
        if (!masked_) continue;
        Hidden hidden(evaluator_,
                      target < relations ? Fact{x, target, y} : Fact{y, target - relations, x});
        if (walk_.prove(x, y, &hidden).empty()) continue;
        ++tally_.body;
        ++tally_.pca_body;
        ++tally_.support;
      }
    }
  }

  const Rule& rule_;
  Evaluator& evaluator_;
  const Graph& graph_;
  bool distinct_;
  double share_;
  bool masked_;
  Walk walk_;
  std::uint64_t ends_ = 0;  ///< entities that y can be in a pair rule
  Support tally_;
};

}  // namespace

bool in_sample(EntityId entity, double share) {
  if (share >= 1) return true;
  std::uint64_t state = entity;
  return static_cast<double>(split_mix(state) >> 11U) * 0x1p-53 < share;
}

Support support(const Rule& rule, Evaluator& evaluator, const SupportOptions& options) {
  return Counter(rule, evaluator, options).count();
}

}  // namespace lerpp
