// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/eval/ranking.hpp>

namespace lerpp {

/// The rules op(x,y) ⇒ target(x,y) for every pair of different operators that are ever seen
/// together. Several rules for one answer add up as if they were independent (noisy or).
/// docs/baseline.md tells how this was chosen.
class InverseBaseline : public Scorer {
 public:
  explicit InverseBaseline(const Graph& known);

  struct Rule {
    OperatorId body = 0;
    double confidence = 0;
  };
  /// Sorted by body.
  std::span<const Rule> rules(OperatorId target) const { return rules_[target]; }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override;

 private:
  const Graph& known_;
  std::vector<std::vector<Rule>> rules_;  ///< for each target
};

}  // namespace lerpp
