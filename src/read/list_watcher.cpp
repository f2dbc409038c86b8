// SPDX-License-Identifier: Apache-2.0
#include "read/list_watcher.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "model/log_table.hpp"
#include "model/rule_groups.hpp"

namespace lerpp {
namespace {

/// The rules of one target, and what they say of the answers of a question.
class TargetWatcher {
 public:
  TargetWatcher(const RuleList& list, const Graph& graph, OperatorId target, Ledger& ledger)
      : graph_(graph),
        target_(target),
        ledger_(ledger),
        explorer_(graph, target, paths_of(list, target), list.frontier),
        mask_(graph),
        groups_(graph.entities()),
        literals_(graph) {
    for (const ListedRule& listed : list.rules) {
      if (listed.rule.target() != target) continue;
      (listed.rule.is_pair() ? pairs_ : paths_).push_back(&listed);
    }
    for (const ListedRule* listed : paths_) path_bodies_.push_back(number(*listed));
    for (const ListedRule* listed : pairs_) {
      pair_bodies_.push_back(number(*listed));
      pair_sets_.push_back(literals_.number(listed->rule.constraints()[1]));
    }
  }

  void ask(const Question& question) {
    mask_.hide(hidden_facts(graph_, target_, {&question, 1}));
    const RuleWalk& walk = explorer_.walk(question);
    scores_.assign(graph_.entities(), 0);
    for (const RuleWalk::Finding& found : walk.findings()) {
      if (paths_[found.rule]->group != 0) continue;
      for (std::size_t i = 0; i < found.size; ++i)
        scores_[walk.entities(found)[i]] += said(*paths_[found.rule], walk.counts(found)[i]);
    }
    groups_.find(
        walk, walk.findings(), [&](std::uint32_t rule) { return paths_[rule]->group; },
        [&](std::uint32_t rule) { return static_cast<float>(paths_[rule]->more); });
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const double weight = weight_of(groups_[i]);
      for (const auto& [entity, sum] : groups_[i].sums)
        scores_[entity] += weight * std::log1p(double{sum});
    }
    for (EntityId entity = 0; entity < graph_.entities(); ++entity) {
      for (std::size_t i = 0; i < pairs_.size(); ++i) scores_[entity] += of_pair(i, entity);
    }
    for (const auto& [answer, role] : answers(question)) {
      ledger_.open();
      for (const RuleWalk::Finding& found : walk.findings()) {
        const std::uint32_t count = groundings(walk, found, answer);
        if (count == 0 || paths_[found.rule]->group != 0) continue;
        ledger_.say(path_bodies_[found.rule], said(*paths_[found.rule], count), Source::list);
      }
      for (std::size_t i = 0; i < groups_.size(); ++i) share_out(walk, groups_[i], answer);
      for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const double value = of_pair(i, answer);
        if (value != 0) ledger_.say(pair_bodies_[i], value, Source::list);
      }
      ledger_.close(role);
    }
    ledger_.end_question();
  }

 private:
  static std::vector<Rule> paths_of(const RuleList& list, OperatorId target) {
    std::vector<Rule> rules;
    for (const ListedRule& listed : list.rules) {
      if (listed.rule.target() == target && !listed.rule.is_pair()) rules.push_back(listed.rule);
    }
    return rules;
  }

  std::uint32_t number(const ListedRule& listed) {
    const Rule& rule = listed.rule;
    return ledger_.number({rule.hops(), rule.constraints(), rule.is_pair()});
  }

  static std::uint32_t groundings(const RuleWalk& walk, const RuleWalk::Finding& found,
                                  EntityId answer) {
    const auto entities = walk.entities(found);
    const auto place = std::find(entities.begin(), entities.end(), answer);
    if (place == entities.end()) return 0;
    return walk.counts(found)[static_cast<std::size_t>(place - entities.begin())];
  }

  double weight_of(const GroupSums::Group& group) const {
    return paths_[group.findings.front()->rule]->rule.weight();
  }

  /// Each rule of a group has the share of its worth that it has in the sum.
  void share_out(const RuleWalk& walk, const GroupSums::Group& group, EntityId answer) {
    const auto sum = std::find_if(group.sums.begin(), group.sums.end(),
                                  [&](const auto& one) { return one.entity == answer; });
    if (sum == group.sums.end()) return;
    const double worth = weight_of(group) * std::log1p(double{sum->sum}) / double{sum->sum};
    for (const RuleWalk::Finding* found : group.findings) {
      const std::uint32_t count = groundings(walk, *found, answer);
      if (count == 0) continue;
      ledger_.say(path_bodies_[found->rule], worth * paths_[found->rule]->more * count,
                  Source::list);
    }
  }

  static double said(const ListedRule& listed, std::uint64_t groundings) {
    return listed.rule.weight() + listed.more * log_of_count(groundings);
  }

  /// Of a pair rule on an answer; one z of `∃z` on y is one grounding.
  double of_pair(std::size_t pair, EntityId answer) const {
    const ListedRule& listed = *pairs_[pair];
    const Formula& on_y = listed.rule.constraints()[1];
    if (pair_sets_[pair] != Literals::none && !literals_.holds(pair_sets_[pair], answer, &mask_))
      return 0;
    std::uint64_t groundings = 1;
    if (on_y.is(Formula::Kind::exists)) {
      const std::span<const Edge> edges = graph_.edges(answer, on_y.op());
      const auto first = static_cast<std::size_t>(edges.data() - graph_.edges().data());
      groundings = edges.size();
      for (std::size_t i = 0; i < edges.size() && mask_.touches(answer); ++i)
        groundings -= mask_.hides(first + i) ? 1 : 0;
    }
    return said(listed, groundings);
  }

  std::vector<Watched> answers(const Question& question) {
    constexpr double never = -std::numeric_limits<double>::infinity();
    for (const Edge& known : graph_.edges(question.start, target_)) scores_[known.target] = never;
    std::vector<std::pair<double, EntityId>> liked;
    for (EntityId entity = 0; entity < scores_.size(); ++entity) {
      if (scores_[entity] > never) liked.emplace_back(scores_[entity], entity);
    }
    const auto end = liked.begin() + static_cast<std::ptrdiff_t>(
                                         std::min<std::size_t>(liked_answers, liked.size()));
    std::partial_sort(liked.begin(), end, liked.end(), std::greater<>());
    liked.erase(end, liked.end());
    return watched(question.answer, std::move(liked));
  }

  const Graph& graph_;
  OperatorId target_;
  Ledger& ledger_;
  RuleExplorer explorer_;
  Mask mask_;
  GroupSums groups_;
  Literals literals_;
  std::vector<const ListedRule*> paths_, pairs_;
  std::vector<std::uint32_t> path_bodies_, pair_bodies_;
  std::vector<std::uint32_t> pair_sets_;  ///< where their constraints on y hold
  std::vector<double> scores_;
};

}  // namespace

void ListWatcher::watch(OperatorId target, std::span<const Question> questions, Ledger& ledger) {
  TargetWatcher watcher(list_, graph_, target, ledger);
  for (const Question& question : questions) watcher.ask(question);
}

}  // namespace lerpp
