// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <lerp/read/rules.hpp>

#include "logic/walk.hpp"

namespace lerpp {
namespace {

using Pair = std::pair<EntityId, EntityId>;

/// Pairs of different entities that the body leads to, in order.
std::vector<Pair> pairs_of(const Rule& rule, Evaluator& evaluator) {
  std::vector<Pair> pairs;
  Walk walk(rule, evaluator);
  evaluator(rule.constraints().front()).for_each([&](EntityId x) {
    for (const EntityId y : walk.from(x).back()) {
      if (x != y) pairs.emplace_back(x, y);
    }
  });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

bool has_negation(const Formula& formula) {
  const auto& parts = formula.parts();
  return formula.is(Formula::Kind::negation) ||
         std::any_of(parts.begin(), parts.end(), has_negation);
}

/// All facts with all that follows from the rules. Rules with a negation need the rest of the world
/// to be complete, so they say nothing new here.
Graph world_of(const Dataset& dataset, const std::vector<Rule>& truth) {
  const RelationId relations = dataset.relations.size();
  std::set<Fact> facts;
  for (const Split split : all_splits) facts.insert(dataset[split].begin(), dataset[split].end());
  for (std::size_t before = 0; facts.size() > before;) {
    before = facts.size();
    const std::vector<Fact> list(facts.begin(), facts.end());
    const Graph graph(dataset.entities.size(), relations, {list});
    Evaluator evaluator(graph);
    for (const Rule& rule : truth) {
      const auto& constraints = rule.constraints();
      if (std::any_of(constraints.begin(), constraints.end(), has_negation)) continue;
      for (const auto& [x, y] : pairs_of(rule, evaluator)) facts.insert({x, rule.target(), y});
    }
  }
  const std::vector<Fact> list(facts.begin(), facts.end());
  return {dataset.entities.size(), relations, {list}};
}

}  // namespace

Result<Recovery> compare(const RuleReport& report, const std::vector<Rule>& given,
                         const Dataset& dataset) {
  const RelationId relations = dataset.relations.size();
  std::vector<Rule> truth;
  truth.reserve(given.size());
  for (const Rule& rule : given) truth.push_back(canonical(with_weight(rule, 1), relations));
  const Graph world = world_of(dataset, truth);
  Evaluator evaluator(world);
  Recovery recovery;
  recovery.given = truth.size();
  std::map<OperatorId, std::set<std::vector<Pair>>> extensions;
  std::map<OperatorId, std::set<Pair>> proved;
  std::vector<Rule> shown;
  for (const ReadRule& read : report.rules) {
    if (read.rule.weight() <= 0) continue;
    const Rule rule = canonical(with_weight(read.rule, 1), relations);
    shown.push_back(rule);
    std::vector<Pair> pairs = pairs_of(rule, evaluator);
    const bool holds = std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
      return world.contains(pair.first, rule.target(), pair.second);
    });
    const bool listed = std::find(truth.begin(), truth.end(), rule) != truth.end();
    if (!listed && (!holds || pairs.empty())) {
      recovery.wrong.push_back(read.rule);
      continue;
    }
    ++recovery.right;
    proved[rule.target()].insert(pairs.begin(), pairs.end());
    extensions[rule.target()].insert(std::move(pairs));
  }
  recovery.shown = shown.size();
  for (const Rule& rule : truth) {
    const std::vector<Pair> pairs = pairs_of(rule, evaluator);
    const bool found = std::find(shown.begin(), shown.end(), rule) != shown.end() ||
                       (!pairs.empty() && extensions[rule.target()].contains(pairs));
    const std::set<Pair>& known = proved[rule.target()];
    const bool covered = found || (!pairs.empty() && std::includes(known.begin(), known.end(),
                                                                   pairs.begin(), pairs.end()));
    recovery.found += found ? 1 : 0;
    recovery.covered += covered ? 1 : 0;
    if (!found) recovery.missed.push_back(rule);
  }
  return recovery;
}

}  // namespace lerpp
