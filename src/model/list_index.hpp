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

namespace lerpp {

/// A list of rules made ready for a graph: found once, shared by all who ask the list there.
class ListIndex {
 public:
  /// What one thread needs while it asks.
  struct Walker {
    explicit Walker(const ListIndex& index);

    RuleWalk walk;
    GroupSums groups;
  };

  /// The graph must outlive it.
  ListIndex(std::shared_ptr<const RuleList> list, const Graph& graph);

  const RuleList& list() const { return *list_; }
  const std::shared_ptr<const RuleList>& shared_list() const { return list_; }
  const Graph& graph() const { return graph_; }

  /// Adds what the list says of every entity. Hidden facts count nowhere; there may be no mask.
  template <class Real>
  void add(Walker& walker, const Query& query, const Mask* mask, std::span<Real> scores) const;
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
    bool local = true;  ///< pair rules speak of an answer's own edges only

    // What pair rules add that say nothing of x, while nothing is hidden: of every entity.
    mutable std::once_flag found;
    mutable std::vector<float> common;
  };

  void add_rule(std::size_t place);
  const std::vector<float>& common(const Target& target) const;
  /// What the pair rules add that hold of x.
  float pairs_at(const Target& target, const Query& query, EntityId answer, const Mask* mask,
                 bool with_common) const;
  bool speaks(const PairRule& pair, EntityId start, EntityId answer, const Mask* mask) const;
  std::uint32_t groundings(const PairRule& pair, EntityId answer, const Mask* mask) const;
  template <class Real>
  void add_pairs(const Target& target, const Query& query, const Mask* mask,
                 std::span<Real> scores) const;
  template <class Real>
  void add_paths(Walker& walker, const Target& target, std::span<Real> scores) const;
  void share_groups(const Target& target,
                    std::span<const std::pair<std::uint32_t, std::uint32_t>> grouped,
                    std::vector<RuleShare>& shares) const;

  std::shared_ptr<const RuleList> list_;
  const Graph& graph_;
  Literals literals_;
  std::vector<std::unique_ptr<Target>> targets_;
};

}  // namespace lerpp
