// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <lerp/read/rule_list.hpp>

#include "model/log_table.hpp"
#include "read/rule_groups.hpp"

namespace lerpp {
namespace {

/// A rule as it scores.
struct Weights {
  float once = 0;
  float more = 0;

  float of(std::uint32_t groundings) const {
    return once + more * static_cast<float>(log_of_count(groundings));
  }
};

struct PairRule {
  std::size_t place = 0;  ///< in the list
  std::uint32_t x = Literals::none;
  std::uint32_t y = Literals::none;
  std::optional<OperatorId> counted;  ///< where y has an ∃ alone
  Weights weights;
};

class Lister final : public ListScorer {
 public:
  Lister(const RuleList& list, const Graph& known)
      : known_(known), literals_(known), frontier_(list.frontier), targets_(known.operators()) {
    for (std::size_t place = 0; place < list.rules.size(); ++place) {
      const auto& [rule, more, group] = list.rules[place];
      Target& target = targets_[rule.target()];
      const Weights weights = {static_cast<float>(rule.weight()), static_cast<float>(more)};
      if (!rule.is_pair()) {
        target.trie.add(rule, static_cast<std::uint32_t>(target.weights.size()), literals_);
        target.weights.push_back(weights);
        target.groups.push_back(group);
        target.places.push_back(place);
        continue;
      }
      const Formula& y = rule.constraints()[1];
      PairRule pair = {
          place, literals_.number(rule.constraints()[0]), literals_.number(y), {}, weights};
      if (y.is(Formula::Kind::exists) && y.inner().is(Formula::Kind::truth)) pair.counted = y.op();
      target.pairs.push_back(pair);
    }
  }

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    if (queries.empty()) return;
    const Target& target = targets_[queries.front().target];
    std::vector<float> common(known_.entities());
    for (const PairRule& pair : target.pairs) {
      if (pair.x == Literals::none) add(pair, common);
    }
    RuleWalk walk(known_, literals_, frontier_);
    GroupSums groups(known_.entities());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      scores[i].clear(0);
      const std::span<float> all = scores[i].dense(known_.entities());
      std::copy(common.begin(), common.end(), all.begin());
      for (const PairRule& pair : target.pairs) {
        if (pair.x != Literals::none && literals_.holds(pair.x, queries[i].start, nullptr))
          add(pair, all);
      }
      walk.walk(target.trie, queries[i].start, nullptr);
      for (const RuleWalk::Finding& found : walk.findings()) {
        if (target.groups[found.rule] != 0) continue;
        const Weights& weights = target.weights[found.rule];
        const std::span<const EntityId> entities = walk.entities(found);
        const std::span<const std::uint16_t> counts = walk.counts(found);
        for (std::size_t at = 0; at < entities.size(); ++at)
          all[entities[at]] += weights.of(counts[at]);
      }
      add_groups(target, walk, groups, all);
    }
  }

  std::vector<RuleShare> reasons(const Query& query, EntityId answer) const override {
    const Target& target = targets_[query.target];
    std::vector<RuleShare> shares;
    for (const PairRule& pair : target.pairs) {
      if (!speaks(pair, query.start, answer)) continue;
      const std::uint32_t count = groundings(pair, answer);
      shares.push_back({pair.place, double{pair.weights.of(count)}, count});
    }
    RuleWalk walk(known_, literals_, frontier_);
    walk.walk(target.trie, query.start, nullptr);
    std::vector<double> sums;  // by group
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        grouped;  // rules that reach it, and counts
    for (const RuleWalk::Finding& found : walk.findings()) {
      const std::uint32_t count = count_of(walk, found, answer);
      if (count == 0) continue;
      const std::uint32_t group = target.groups[found.rule];
      const Weights& weights = target.weights[found.rule];
      if (group == 0) {
        shares.push_back({target.places[found.rule], double{weights.of(count)}, count});
        continue;
      }
      if (sums.size() <= group) sums.resize(group + 1);
      sums[group] += double{weights.more} * count;
      grouped.emplace_back(found.rule, count);
    }
    for (const auto& [rule, count] : grouped) {
      const Weights& weights = target.weights[rule];
      const double sum = sums[target.groups[rule]];
      if (!(sum > 0)) continue;
      const double part = double{weights.more} * count / sum;
      shares.push_back({target.places[rule], part * double{weights.once} * std::log1p(sum), count});
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const RuleShare& a, const RuleShare& b) { return a.share > b.share; });
    return shares;
  }

 private:
  struct Target {
    RuleTrie trie;
    std::vector<Weights> weights;
    std::vector<std::uint32_t> groups;
    std::vector<std::size_t> places;  ///< of the path rules, in the list
    std::vector<PairRule> pairs;
  };

  static void add_groups(const Target& target, const RuleWalk& walk, GroupSums& groups,
                         std::span<float> scores) {
    groups.find(
        walk, walk.findings(), [&](std::uint32_t rule) { return target.groups[rule]; },
        [&](std::uint32_t rule) { return target.weights[rule].more; });
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const GroupSums::Group group = groups[i];
      const float weight = target.weights[group.findings.front()->rule].once;
      for (const auto& [entity, sum] : group.sums) scores[entity] += weight * std::log1p(sum);
    }
  }

  static std::uint32_t count_of(const RuleWalk& walk, const RuleWalk::Finding& found,
                                EntityId answer) {
    const std::span<const EntityId> entities = walk.entities(found);
    const auto place = std::find(entities.begin(), entities.end(), answer);
    if (place == entities.end()) return 0;
    return walk.counts(found)[static_cast<std::size_t>(place - entities.begin())];
  }

  bool speaks(const PairRule& pair, EntityId start, EntityId answer) const {
    return (pair.x == Literals::none || literals_.holds(pair.x, start, nullptr)) &&
           (pair.y == Literals::none || literals_.holds(pair.y, answer, nullptr));
  }

  std::uint32_t groundings(const PairRule& pair, EntityId answer) const {
    const std::size_t count =
        pair.counted ? known_.edges(answer, *pair.counted).size() : std::size_t{1};
    return static_cast<std::uint32_t>(std::min<std::size_t>(count, RuleWalk::most_groundings));
  }

  void add(const PairRule& pair, std::span<float> scores) const {
    for (EntityId entity = 0; entity < known_.entities(); ++entity) {
      if (pair.y != Literals::none && !literals_.holds(pair.y, entity, nullptr)) continue;
      scores[entity] += pair.weights.of(groundings(pair, entity));
    }
  }

  const Graph& known_;
  Literals literals_;
  std::size_t frontier_;
  std::vector<Target> targets_;
};

}  // namespace

std::unique_ptr<ListScorer> make_scorer(const RuleList& list, const Graph& known) {
  return std::make_unique<Lister>(list, known);
}

}  // namespace lerpp
