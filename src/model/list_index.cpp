// SPDX-License-Identifier: Apache-2.0
#include "model/list_index.hpp"

#include <algorithm>
#include <cmath>

#include "model/log_table.hpp"

namespace lerpp {

float ListIndex::Weights::of(std::uint32_t groundings) const {
  return once + more * static_cast<float>(log_of_count(groundings));
}

ListIndex::Walker::Walker(const ListIndex& index)
    : walk(index.graph_, index.literals_, index.list_->frontier),
      groups(index.graph_.entities()),
      place_of(index.graph_.entities()) {}

ListIndex::ListIndex(std::shared_ptr<const RuleList> list, const Graph& graph)
    : list_(std::move(list)), graph_(graph), literals_(graph) {
  targets_.reserve(graph.operators());
  for (OperatorId target = 0; target < graph.operators(); ++target)
    targets_.push_back(std::make_unique<Target>());
  for (std::size_t place = 0; place < list_->rules.size(); ++place) add_rule(place);
}

void ListIndex::add_rule(std::size_t place) {
  const auto& [rule, more, group] = list_->rules[place];
  Target& target = *targets_[rule.target()];
  const Weights weights = {static_cast<float>(rule.weight()), static_cast<float>(more)};
  if (!rule.is_pair()) {
    target.trie.add(rule, static_cast<std::uint32_t>(target.weights.size()), literals_);
    target.weights.push_back(weights);
    target.groups.push_back(group);
    target.places.push_back(place);
    return;
  }
  const Formula& y = rule.constraints()[1];
  PairRule pair = {
      place, literals_.number(rule.constraints()[0]), literals_.number(y), {}, weights};
  if (y.is(Formula::Kind::exists) && y.inner().is(Formula::Kind::truth)) pair.counted = y.op();
  if (pair.y != Literals::none && !literals_.is_local(pair.y)) target.local = false;
  if (pair.x != Literals::none) target.asks_start = true;
  target.pairs.push_back(pair);
}

const ScoreBase& ListIndex::base(const Target& target) const {
  std::call_once(target.found, [&] {
    std::vector<float> scores(graph_.entities());
    for (const PairRule& pair : target.pairs) {
      if (pair.x != Literals::none) continue;
      for (EntityId entity = 0; entity < graph_.entities(); ++entity) {
        if (pair.y != Literals::none && !literals_.holds(pair.y, entity, nullptr)) continue;
        scores[entity] += pair.weights.of(groundings(pair, entity, nullptr));
      }
    }
    target.base.emplace(std::move(scores));
  });
  return *target.base;
}

bool ListIndex::speaks(const PairRule& pair, EntityId start, EntityId answer,
                       const Mask* mask) const {
  return (pair.x == Literals::none || literals_.holds(pair.x, start, mask)) &&
         (pair.y == Literals::none || literals_.holds(pair.y, answer, mask));
}

std::uint32_t ListIndex::groundings(const PairRule& pair, EntityId answer, const Mask* mask) const {
  if (!pair.counted) return 1;
  const std::span<const Edge> edges = graph_.edges(answer, *pair.counted);
  std::size_t count = edges.size();
  if (mask != nullptr && mask->touches(answer)) {
    const auto first = static_cast<std::size_t>(edges.data() - graph_.edges().data());
    for (std::size_t edge = 0; edge < edges.size(); ++edge) count -= mask->hides(first + edge);
  }
  return static_cast<std::uint32_t>(std::min<std::size_t>(count, RuleWalk::most_groundings));
}

float ListIndex::pairs_at(const Target& target, const Query& query, EntityId answer,
                          const Mask* mask, bool with_common) const {
  float sum = 0;
  for (const PairRule& pair : target.pairs) {
    if (pair.x == Literals::none && !with_common) continue;
    if (speaks(pair, query.start, answer, mask))
      sum += pair.weights.of(groundings(pair, answer, mask));
  }
  return sum;
}

template <class Real>
void ListIndex::add_pairs(const Target& target, const Query& query, const Mask* mask,
                          std::span<Real> scores) const {
  if (target.pairs.empty()) return;
  const bool masked = mask != nullptr && !mask->entities().empty();
  const auto at = [&](EntityId entity, bool with_common) {
    return static_cast<Real>(pairs_at(target, query, entity, mask, with_common));
  };
  if (masked && !target.local) {  // what is hidden may change what holds of any entity
    for (EntityId entity = 0; entity < graph_.entities(); ++entity)
      scores[entity] += at(entity, true);
    return;
  }
  // Entities that a hidden fact touches are counted by themselves.
  std::vector<Real> touched;
  if (masked) {
    for (const EntityId entity : mask->entities())
      touched.push_back(scores[entity] + at(entity, true));
  }
  const std::span<const float> all = base(target).scores();
  for (EntityId entity = 0; entity < graph_.entities(); ++entity)
    scores[entity] += static_cast<Real>(all[entity]);
  for (EntityId entity = 0; target.asks_start && entity < graph_.entities(); ++entity)
    scores[entity] += at(entity, false);
  for (std::size_t i = 0; i < touched.size(); ++i) scores[mask->entities()[i]] = touched[i];
}

template <class Add>
void ListIndex::for_each_path(Walker& walker, const Target& target, const Add& add) const {
  const RuleWalk& walk = walker.walk;
  for (const RuleWalk::Finding& found : walk.findings()) {
    if (target.groups[found.rule] != 0) continue;
    const Weights& weights = target.weights[found.rule];
    const std::span<const EntityId> entities = walk.entities(found);
    const std::span<const std::uint16_t> counts = walk.counts(found);
    for (std::size_t at = 0; at < entities.size(); ++at) add(entities[at], weights.of(counts[at]));
  }
  walker.groups.find(
      walk, walk.findings(), [&](std::uint32_t rule) { return target.groups[rule]; },
      [&](std::uint32_t rule) { return target.weights[rule].more; });
  for (std::size_t i = 0; i < walker.groups.size(); ++i) {
    const GroupSums::Group group = walker.groups[i];
    const float weight = target.weights[group.findings.front()->rule].once;
    for (const auto& [entity, sum] : group.sums) add(entity, weight * std::log1p(sum));
  }
}

template <class Real>
void ListIndex::add(Walker& walker, const Query& query, const Mask* mask,
                    std::span<Real> scores) const {
  const Target& target = *targets_[query.target];
  add_pairs(target, query, mask, scores);
  walker.walk.walk(target.trie, query.start, mask);
  for_each_path(walker, target, [&](EntityId entity, float evidence) {
    scores[entity] += static_cast<Real>(evidence);
  });
}

template void ListIndex::add(Walker&, const Query&, const Mask*, std::span<float>) const;
template void ListIndex::add(Walker&, const Query&, const Mask*, std::span<double>) const;

void ListIndex::find_changes(Walker& walker, const Query& query,
                             std::vector<Change>& changes) const {
  const Target& target = *targets_[query.target];
  const std::span<const float> all = base(target).scores();
  changes.clear();
  walker.walk.walk(target.trie, query.start, nullptr);
  for_each_path(walker, target, [&](EntityId entity, float evidence) {
    std::uint32_t& place = walker.place_of[entity];
    if (place == 0) {
      changes.push_back({entity, all[entity]});
      place = static_cast<std::uint32_t>(changes.size());
    }
    changes[place - 1].score += evidence;
  });
  for (const Change& change : changes) walker.place_of[change.entity] = 0;
  std::ranges::sort(changes, {}, &Change::entity);
}

std::vector<RuleShare> ListIndex::reasons(Walker& walker, const Query& query, EntityId answer,
                                          const Mask* mask) const {
  const Target& target = *targets_[query.target];
  std::vector<RuleShare> shares;
  for (const PairRule& pair : target.pairs) {
    if (!speaks(pair, query.start, answer, mask)) continue;
    const std::uint32_t count = groundings(pair, answer, mask);
    shares.push_back({pair.place, double{pair.weights.of(count)}, count});
  }
  walker.walk.walk(target.trie, query.start, mask);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> grouped;
  for (const RuleWalk::Finding& found : walker.walk.findings()) {
    const std::span<const EntityId> entities = walker.walk.entities(found);
    const auto place = std::find(entities.begin(), entities.end(), answer);
    if (place == entities.end()) continue;
    const std::uint32_t count =
        walker.walk.counts(found)[static_cast<std::size_t>(place - entities.begin())];
    if (target.groups[found.rule] != 0) {
      grouped.emplace_back(found.rule, count);
    } else {
      const double share = double{target.weights[found.rule].of(count)};
      shares.push_back({target.places[found.rule], share, count});
    }
  }
  share_groups(target, grouped, shares);
  std::ranges::sort(shares, {}, &RuleShare::rule);
  return shares;
}

/// Each rule of a group has the share of what the group adds that it has in its sum.
void ListIndex::share_groups(const Target& target,
                             std::span<const std::pair<std::uint32_t, std::uint32_t>> grouped,
                             std::vector<RuleShare>& shares) const {
  std::vector<double> sums;  // by group
  for (const auto& [rule, count] : grouped) {
    const std::uint32_t group = target.groups[rule];
    if (sums.size() <= group) sums.resize(group + std::size_t{1});
    sums[group] += double{target.weights[rule].more} * count;
  }
  for (const auto& [rule, count] : grouped) {
    const Weights& weights = target.weights[rule];
    const double sum = sums[target.groups[rule]];
    if (!(sum > 0)) continue;
    const double part = double{weights.more} * count / sum;
    shares.push_back({target.places[rule], part * double{weights.once} * std::log1p(sum), count});
  }
}

}  // namespace lerpp
