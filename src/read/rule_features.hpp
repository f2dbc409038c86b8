// SPDX-License-Identifier: Apache-2.0
#pragma once

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
/// over and over.
class FeatureTable {
 public:
  using Finding = RuleWalk::Finding;

  /// Walks the rules. Stops early, with fewer questions, where `most` entries are full or
  /// the observer asks to stop.
  FeatureTable(const Graph& graph, OperatorId target, std::span<const Rule> rules,
               std::span<const Question> questions, std::size_t frontier, std::size_t most,
               const Observer& observer = {}, const Folds* folds = nullptr);

  OperatorId target() const { return target_; }
  std::size_t size() const { return questions_.size(); }
  const Question& question(std::size_t query) const { return questions_[query]; }
  std::span<const Finding> findings(std::size_t query) const {
    return {findings_.data() + starts_[query], findings_.data() + starts_[query + 1]};
  }
  std::span<const EntityId> entities(const Finding& found) const {
    return {entities_.data() + found.offset, found.size};
  }
  std::span<const std::uint16_t> counts(const Finding& found) const {
    return {counts_.data() + found.offset, found.size};
  }

  /// Keeps some rules; `numbers` gives each rule its new number, or RuleTrie::none.
  void keep(std::span<const std::uint32_t> numbers);

 private:
  OperatorId target_;
  std::vector<Question> questions_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<Finding> findings_;
  std::vector<EntityId> entities_;
  std::vector<std::uint16_t> counts_;
};

}  // namespace lerpp
