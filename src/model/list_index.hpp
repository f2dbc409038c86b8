// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <lerp/model/rule_list.hpp>

#include "model/rule_groups.hpp"
#include "model/rule_walk.hpp"
#include "model/score_base.hpp"

namespace lerpp {

/// A list of rules made ready for a graph: found once, shared by all who ask the list there.
class ListIndex {
 public:
  /// What one thread needs while it asks.
  struct Walker {
    explicit Walker(const ListIndex& index);

    RuleWalk walk;
    GroupSums groups;
    std::vector<std::uint32_t>
        place_of;  ///< of an entity among the changes, from 1; 0 between calls
  };
  /// The score of an entity that a question leads to.
  struct Change {
    EntityId entity = 0;
    float score = 0;
  };

  /// The graph must outlive it.
  ListIndex(std::shared_ptr<const RuleList> list, const Graph& graph);

  const RuleList& list() const { return *list_; }
  const std::shared_ptr<const RuleList>& shared_list() const { return list_; }
  const Graph& graph() const { return graph_; }

  /// Adds what the list says of every entity. Hidden facts count nowhere; there may be no mask.
  template <class Real>
  void add(Walker& walker, const Query& query, const Mask* mask, std::span<Real> scores) const;
  /// Whether all questions about a target have the same scores but where paths lead.
  bool has_base(OperatorId target) const { return !targets_[target]->asks_start; }
  const ScoreBase& base(OperatorId target) const { return base(*targets_[target]); }
  /// Where paths lead, by entity: with base() the same scores as add(). Nothing is hidden.
  void find_changes(Walker& walker, const Query& query, std::vector<Change>& changes) const;
  /// What each rule adds to the score of an answer; in the order of the list.
  std::vector<RuleShare> reasons(Walker& walker, const Query& query, EntityId answer,
                                 const Mask* mask) const;

 private:
  /// What a rule adds.
  struct Weights {
    float once = 0;
    float more = 0;

    float of(std::uint32_t groundings) const;
  };

  struct PairRule {
    std::size_t place = 0;  ///< in the list
    std::uint32_t x = Literals::none;
    std::uint32_t y = Literals::none;
    std::optional<OperatorId> counted = {};  ///< where y has an ∃ alone
    Weights weights = {};
  };

  struct Target {
    RuleTrie trie;
    std::vector<Weights> weights;  ///< of the path rules
    std::vector<std::uint32_t> groups;
    std::vector<std::size_t> places;  ///< in the list
    std::vector<PairRule> pairs;
    bool local = true;        ///< pair rules speak of an answer's own edges only
    bool asks_start = false;  ///< some pair rule says something of x

    // What pair rules add that say nothing of x, while nothing is hidden: of every entity.
    mutable std::once_flag found;
    mutable std::optional<ScoreBase> base;
  };

  void add_rule(std::size_t place);
  const ScoreBase& base(const Target& target) const;
  /// What the pair rules add that hold of x.
  float pairs_at(const Target& target, const Query& query, EntityId answer, const Mask* mask,
                 bool with_common) const;
  bool speaks(const PairRule& pair, EntityId start, EntityId answer, const Mask* mask) const;
  std::uint32_t groundings(const PairRule& pair, EntityId answer, const Mask* mask) const;
  template <class Real>
  void add_pairs(const Target& target, const Query& query, const Mask* mask,
                 std::span<Real> scores) const;
  /// Calls add(entity, evidence) for all that the paths of a walk lead to.
  template <class Add>
  void for_each_path(Walker& walker, const Target& target, const Add& add) const;
  void share_groups(const Target& target,
                    std::span<const std::pair<std::uint32_t, std::uint32_t>> grouped,
                    std::vector<RuleShare>& shares) const;

  std::shared_ptr<const RuleList> list_;
  const Graph& graph_;
  Literals literals_;
  std::vector<std::unique_ptr<Target>> targets_;
};

}  // namespace lerpp
