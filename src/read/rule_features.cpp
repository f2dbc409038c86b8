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

/// The places of the entities of one query.
class FeatureTable::Places {
 public:
  Places(std::size_t entities, std::vector<EntityId>& touched)
      : place_(entities, none), touched_(touched), first_(touched.size()) {}

  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  /// The place of an entity, which it gets now if it had none; none where it is left out.
  std::uint32_t operator[](EntityId entity) {
    std::uint32_t& place = place_[entity];
    if (place == left_out) return none;
    if (place == none) {
      place = static_cast<std::uint32_t>(touched_.size() - first_);
      touched_.push_back(entity);
    }
    return place;
  }
  void leave_out(EntityId entity) {
    place_[entity] = left_out;
    outside_.push_back(entity);
  }
  std::size_t size() const { return touched_.size() - first_; }
  void end_query() {
    for (std::size_t i = first_; i < touched_.size(); ++i) place_[touched_[i]] = none;
    for (const EntityId entity : outside_) place_[entity] = none;
    outside_.clear();
    first_ = touched_.size();
  }

 private:
  static constexpr std::uint32_t left_out = none - 1;

  std::vector<std::uint32_t> place_;
  std::vector<EntityId>& touched_;
  std::vector<EntityId> outside_;
  std::size_t first_;
};

FeatureTable::FeatureTable(const Graph& graph, OperatorId target, std::span<const Rule> rules,
                           std::span<const Question> questions, std::size_t frontier,
                           std::size_t most, const Observer& observer, const Folds* folds,
                           const Named& named)
    : target_(target) {
  RuleExplorer explorer(graph, target, rules, frontier, folds);
  Places places(graph.entities(), touched_);
  for (const Question& question : questions) {
    if (places_.size() >= most || observer.stopped()) break;
    starts_.push_back({findings_.size(), touched_.size()});
    for (const Edge& known : graph.edges(question.start, target)) {
      if (known.target != question.answer) places.leave_out(known.target);
    }
    places[question.answer];
    places[question.start];
    if (named) {
      for (const EntityId entity : named(questions_.size())) places[entity];
    }
    starts_.back().named = places.size();
    add(explorer.walk(question), places);
    places.end_query();
    questions_.push_back(question);
  }
  starts_.push_back({findings_.size(), touched_.size()});
}

void FeatureTable::add(const RuleWalk& walk, Places& places) {
  for (const RuleWalk::Finding& found : walk.findings()) {
    const std::size_t first = places_.size();
    const std::span<const EntityId> entities = walk.entities(found);
    const std::span<const std::uint16_t> counts = walk.counts(found);
    for (std::size_t i = 0; i < entities.size(); ++i) {
      const std::uint32_t place = places[entities[i]];
      if (place == Places::none) continue;
      places_.push_back(place);
      counts_.push_back(counts[i]);
    }
    if (places_.size() > first) findings_.push_back({found.rule, first, places_.size() - first});
  }
}

void FeatureTable::keep(std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> moved;  // of each place of a query
  Start end;
  std::size_t entries = 0;
  for (std::size_t query = 0; query < size(); ++query) {
    const Start start = starts_[query];
    const std::span<const Finding> findings = this->findings(query);
    moved.assign(touched(query).size(), Places::none);
    std::fill_n(moved.begin(), start.named, 0U);
    for (const Finding& found : findings) {
      if (numbers[found.rule] == RuleTrie::none) continue;
      for (const std::uint32_t place : entities(found)) moved[place] = 0;
    }
    starts_[query] = {end.finding, end.touched, start.named};
    for (std::size_t place = 0; place < moved.size(); ++place) {
      if (moved[place] == Places::none) continue;
      moved[place] = static_cast<std::uint32_t>(end.touched - starts_[query].touched);
      touched_[end.touched++] = touched_[start.touched + place];
    }
    for (const Finding found : findings) {
      if (numbers[found.rule] == RuleTrie::none) continue;
      findings_[end.finding++] = {numbers[found.rule], entries, found.size};
      for (std::size_t at = found.offset; at < found.offset + found.size; ++at, ++entries) {
        places_[entries] = moved[places_[at]];
        counts_[entries] = counts_[at];
      }
    }
  }
  starts_[size()] = end;
  findings_.resize(end.finding);
  touched_.resize(end.touched);
  places_.resize(entries);
  counts_.resize(entries);
}

}  // namespace lerpp
