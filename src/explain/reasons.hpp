// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <lerp/explain/explain.hpp>

#include "explain/best_walks.hpp"
#include "explain/masked_model.hpp"
#include "explain/witness.hpp"
#include "read/constraint_reader.hpp"

namespace lerpp {

/// Takes the score of one answer to the last question apart, exactly: what each path, each walk of
/// a soft rule, each thing that the answer takes part in and each constant adds to it.
class ReasonFinder {
 public:
  /// `constraints`: of the target's rules, as ConstraintReader has them.
  ReasonFinder(MaskedModel& asked, EntityId answer,
               std::span<const std::optional<SoftConstraint>> constraints);

  /// The largest share first. Groundings have their entities alone, and only walks of soft rules
  /// have any; at most so many a reason.
  std::vector<Explanation::Reason> find(std::size_t most_walks, std::size_t groundings);
  /// Of walks beyond those.
  double walks_share() const { return walks_share_; }

 private:
  /// What a walk of a rule says: its hops, and which constraints of the rule each entity on the way
  /// fulfils.
  struct Statement {
    std::size_t rule = 0;
    std::vector<OperatorId> hops;
    std::vector<std::vector<std::size_t>> fulfilled;

    auto operator<=>(const Statement&) const = default;
  };

  std::size_t place(const Rule& rule);
  void add(std::size_t place, const Explanation::Part& part);
  void add_terms();
  void add_soft(std::size_t most_walks, std::size_t groundings);
  void add_walk(const SoftWalk& walk, const Explanation::Part& part, std::size_t groundings);
  const std::optional<SoftConstraint>& constraint(std::size_t rule, std::size_t k) const {
    return constraints_[rule * (trace_.length() + std::size_t{1}) + k];
  }
  bool fulfils(const std::optional<SoftConstraint>& asked, EntityId entity) const {
    return asked && graph_.holds(asked->formula, entity);
  }
  Rule rule_of(const Statement& statement) const;

  MaskedModel& asked_;
  const RuleTrace& trace_;
  EntityId answer_;
  std::span<const std::optional<SoftConstraint>> constraints_;
  VisibleGraph graph_;
  std::vector<Explanation::Reason> reasons_;
  std::map<std::pair<std::vector<OperatorId>, std::vector<Formula>>, std::size_t> places_;
  std::map<Statement, std::size_t> statements_;
  std::map<std::size_t, std::set<std::vector<EntityId>>> told_;  ///< walks of each reason
  double walks_share_ = 0;
};

}  // namespace lerpp
