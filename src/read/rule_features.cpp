// SPDX-License-Identifier: Apache-2.0
#include "read/rule_features.hpp"

namespace lerpp {

std::vector<Fact> hidden_facts(const Graph& graph, OperatorId target,
                               std::span<const Question> questions) {
  std::vector<Fact> hidden;
  for (const Question& question : questions) {
    if (!question.fact) continue;
    hidden.push_back(target < graph.relations()
                         ? Fact{question.start, target, question.answer}
                         : Fact{question.answer, graph.inverse(target), question.start});
  }
  return hidden;
}

RuleExplorer::RuleExplorer(const Graph& graph, OperatorId target, std::span<const Rule> rules,
                           std::size_t frontier, const Folds* folds)
    : graph_(graph),
      target_(target),
      folds_(folds),
      literals_(graph),
      walk_(graph, literals_, frontier),
      mask_(graph) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    trie_.add(rules[i], static_cast<std::uint32_t>(i), literals_);
}

const RuleWalk& RuleExplorer::walk(const Question& question) {
  const std::vector<Fact> hidden = hidden_facts(graph_, target_, {&question, 1});
  if (folds_ != nullptr && !hidden.empty()) {
    walk_.walk(trie_, question.start, &folds_->hiding(hidden.front()));
    return walk_;
  }
  mask_.hide(hidden);
  walk_.walk(trie_, question.start, &mask_);
  return walk_;
}

FeatureTable::FeatureTable(const Graph& graph, OperatorId target, std::span<const Rule> rules,
                           std::span<const Question> questions, std::size_t frontier,
                           std::size_t most, const Observer& observer, const Folds* folds)
    : target_(target) {
  RuleExplorer explorer(graph, target, rules, frontier, folds);
  for (const Question& question : questions) {
    if (entities_.size() >= most || observer.stopped()) break;
    const RuleWalk& walk = explorer.walk(question);
    for (const RuleWalk::Finding& found : walk.findings()) {
      findings_.push_back({found.rule, entities_.size(), found.size});
      const std::span<const EntityId> entities = walk.entities(found);
      const std::span<const std::uint16_t> counts = walk.counts(found);
      entities_.insert(entities_.end(), entities.begin(), entities.end());
      counts_.insert(counts_.end(), counts.begin(), counts.end());
    }
    questions_.push_back(question);
    starts_.push_back(findings_.size());
  }
}

void FeatureTable::keep(std::span<const std::uint32_t> numbers) {
  std::size_t kept = 0;
  std::size_t entries = 0;
  std::size_t first = 0;
  for (std::size_t query = 0; query < size(); ++query) {
    const std::size_t last = starts_[query + 1];
    for (std::size_t i = first; i < last; ++i) {
      const Finding found = findings_[i];
      if (numbers[found.rule] == RuleTrie::none) continue;
      findings_[kept++] = {numbers[found.rule], entries, found.size};
      for (std::size_t at = found.offset; at < found.offset + found.size; ++at, ++entries) {
        entities_[entries] = entities_[at];
        counts_[entries] = counts_[at];
      }
    }
    first = last;
    starts_[query + 1] = kept;
  }
  findings_.resize(kept);
  entities_.resize(entries);
  counts_.resize(entries);
}

}  // namespace lerpp
