// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/rule_walk.hpp"
#include "read/folds.hpp"

namespace lerpp {

/// A query to learn from. Where its answer is a fact of the graph, that is hidden while it is
/// asked; where there is none, nothing is hidden, and the answer is the soft model's first.
struct Question {
  EntityId start = 0;
  EntityId answer = 0;
  bool fact = true;
};

/// The facts that are hidden while these questions are asked.
std::vector<Fact> hidden_facts(const Graph& graph, OperatorId target,
                               std::span<const Question> questions);

/// Walks the path rules of one target, with the fact of the question hidden, or with its whole
/// fold where there are folds.
class RuleExplorer {
 public:
  RuleExplorer(const Graph& graph, OperatorId target, std::span<const Rule> rules,
               std::size_t frontier, const Folds* folds = nullptr);

  const RuleWalk& walk(const Question& question);

 private:
  const Graph& graph_;
  OperatorId target_;
  const Folds* folds_;
  Literals literals_;
  RuleTrie trie_;
  RuleWalk walk_;
  Mask mask_;
};

/// Training queries of one target, and what each path rule of a list reaches from each of them
/// while the query's own fact is hidden, or its fold. Walked once, so that weights can be fitted
/// over and over. Other known answers of a query are no answers here: they stand nowhere.
class FeatureTable {
 public:
  using Finding = RuleWalk::Finding;
  /// Entities that a query is to name whatever the rules reach.
  using Named = std::function<std::span<const EntityId>(std::size_t query)>;

  /// Walks the rules. Stops early, with fewer questions, where `most` entries are full or
  /// the observer asks to stop.
  FeatureTable(const Graph& graph, OperatorId target, std::span<const Rule> rules,
               std::span<const Question> questions, std::size_t frontier, std::size_t most,
               const Observer& observer = {}, const Folds* folds = nullptr,
               const Named& named = {});

  OperatorId target() const { return target_; }
  std::size_t size() const { return questions_.size(); }
  const Question& question(std::size_t query) const { return questions_[query]; }
  std::span<const Finding> findings(std::size_t query) const {
    return {findings_.data() + starts_[query].finding,
            findings_.data() + starts_[query + 1].finding};
  }
  /// The entities that a query names or leads to: its answer first, then its start, unless that is
  /// the answer or another known one.
  std::span<const EntityId> touched(std::size_t query) const {
    return {touched_.data() + starts_[query].touched, touched_.data() + starts_[query + 1].touched};
  }
  /// What a rule reaches, by their places in touched().
  std::span<const std::uint32_t> entities(const Finding& found) const {
    return {places_.data() + found.offset, found.size};
  }
  std::span<const std::uint16_t> counts(const Finding& found) const {
    return {counts_.data() + found.offset, found.size};
  }

  /// Keeps some rules; `numbers` gives each rule its new number, or RuleTrie::none.
  void keep(std::span<const std::uint32_t> numbers);

 private:
  struct Start {
    std::size_t finding = 0;
    std::size_t touched = 0;
    std::size_t named = 0;  ///< entities of the query that are named, the first of those touched
  };
  class Places;

  void add(const RuleWalk& walk, Places& places);

  OperatorId target_;
  std::vector<Question> questions_;
  std::vector<Start> starts_;  ///< and one behind the last query
  std::vector<Finding> findings_;
  std::vector<EntityId> touched_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint16_t> counts_;
};

}  // namespace lerpp
