// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/distill/switch_off.hpp>
#include <lerp/eval/ranking_plan.hpp>
#include <lerp/logic/rule_text.hpp>

namespace lerpp {
namespace {

/// The rules of the list about the same relations as the given ones, and those without the latter.
struct Lists {
  RuleList before;
  RuleList after;
};

Result<Lists> split_list(const RuleList& list, std::span<const Rule> rules,
                         const std::set<RelationId>& about, const Dataset& dataset) {
  const RelationId relations = dataset.relations.size();
  Lists lists = {{{}, list.frontier}, {{}, list.frontier}};
  std::vector<bool> found(rules.size());
  for (const ListedRule& listed : list.rules) {
    if (!about.contains(listed.rule.target() % relations)) continue;
    lists.before.rules.push_back(listed);
    bool stays = true;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (!same_rule(listed.rule, rules[i], relations)) continue;
      found[i] = true;
      stays = false;
    }
    if (stays) lists.after.rules.push_back(listed);
  }
  const auto missing = std::ranges::find(found, false);
  if (missing != found.end()) {
    const Rule& rule = rules[static_cast<std::size_t>(missing - found.begin())];
    return fail("the list has no such rule", to_text(rule, {dataset.relations, dataset.entities}),
                "switch off a rule of the list");
  }
  return lists;
}

}  // namespace

double SwitchedOff::gain_of_split() const {
  if (of_split == 0) return 0;
  return (changes.after.mrr - changes.before.mrr) * static_cast<double>(changes.questions) /
         static_cast<double>(of_split);
}

Result<SwitchedOff> switch_off(const RuleList& list, std::span<const Rule> rules,
                               const KnownGraph& known, const RankingOptions& options,
                               const Observer& observer) {
  const Dataset& dataset = known.dataset();
  std::set<RelationId> about;
  for (const Rule& rule : rules) about.insert(rule.target() % dataset.relations.size());
  LERP_TRY(lists, split_list(list, rules, about, dataset));
  const std::vector<Fact>& split = dataset[options.split];
  std::vector<Fact> facts;
  std::ranges::copy_if(split, std::back_inserter(facts),
                       [&](const Fact& fact) { return about.contains(fact.relation); });
  if (facts.empty()) {
    return fail(fmt::format("split {} of {} has no facts of the rules' relations",
                            name_of(options.split), dataset.name),
                "", "choose another split, or a rule of another relation");
  }
  LERP_TRY(plan, RankingPlan::make(dataset, facts, options, observer));
  LERP_TRY(before, rank_share(*make_scorer(lists.before, known.graph()), plan, {}, observer));
  LERP_TRY(after, rank_share(*make_scorer(lists.after, known.graph()), plan, {}, observer));
  return SwitchedOff{lists.before.rules.size() - lists.after.rules.size(), 2 * split.size(),
                     rank_changes(plan.facts(), before, after)};
}

Json to_json(const SwitchedOff& off, const Dataset& dataset, std::size_t top) {
  Json json = to_json(off.changes, dataset, top);
  json["rules"] = off.rules;
  json["of_split"] = off.of_split;
  json["gain_of_split"] = off.gain_of_split();
  return json;
}

}  // namespace lerpp
