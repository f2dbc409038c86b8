// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>
#include <lerp/logic/evaluate.hpp>

#include "base/random.hpp"
#include "read/read_off.hpp"
#include "read/rule_features.hpp"

namespace lerpp {
namespace {

Dataset family() {
  FamilyOptions options;
  options.people = 150;
  return generate_family(options).dataset;
}

/// Chains of up to three hops, some with a literal on a variable.
std::vector<Rule> some_rules(const Graph& graph, OperatorId target, Random& random) {
  std::vector<Rule> rules = {path_rule(target, {})};
  const std::vector<OperatorId> telling = telling_operators(graph, 6);
  while (rules.size() < 80) {
    std::vector<OperatorId> hops;
    for (std::size_t k = 0; k <= random.below(3); ++k)
      // The target itself, since that is what a mask is about.
      hops.push_back(random.chance(0.3) ? target
                                        : static_cast<OperatorId>(random.below(graph.operators())));
    Rule rule = path_rule(target, hops);
    if (random.chance(0.6)) {
      const std::vector<Rule> longer = with_literals(rule, telling, graph.relations());
      rule = longer[random.below(longer.size())];
    }
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
  return rules;
}

TEST(DistillWalk, ReachesWhatTheRulesSayWhileTheFactIsHidden) {
  const Dataset dataset = family();
  const Graph graph = dataset.known_graph();
  Evaluator evaluator(graph);
  Random random(3);
  std::size_t reached = 0;
  for (OperatorId target = 0; target < graph.operators(); target += 5) {
    const std::vector<Rule> rules = some_rules(graph, target, random);
    RuleExplorer explorer(graph, target, rules, graph.entities());
    for (EntityId start = 0; start < graph.entities(); ++start) {
      if (graph.edges(start, target).empty()) continue;
      const Question question = {start, graph.edges(start, target).front().target};
      const std::vector<Fact> hidden = hidden_facts(graph, target, {&question, 1});
      const RuleWalk& walk = explorer.walk(question);
      std::vector<std::vector<EntityId>> found(rules.size());
      for (const RuleWalk::Finding& finding : walk.findings()) {
        const auto entities = walk.entities(finding);
        found[finding.rule].assign(entities.begin(), entities.end());
        std::sort(found[finding.rule].begin(), found[finding.rule].end());
      }
      for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        EXPECT_EQ(found[rule], answers(rules[rule], start, evaluator, hidden.front())) << rule;
        reached += found[rule].size();
      }
    }
  }
  EXPECT_GT(reached, 500U);
}

TEST(DistillWalk, CountsGroundingsAndStopsAtTheFrontier) {
  // 0 leads to 1, 2 and 3 by relation 0, and those to 4; 3 also to 5.
  const std::vector<Fact> facts = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {1, 0, 4}, {2, 0, 4},
                                   {3, 0, 4}, {3, 0, 5}, {1, 1, 1}, {2, 1, 2}};
  const Graph graph(6, 2, {facts});
  const Formula has = Formula::exists(1);
  const std::vector<Rule> rules = {
      path_rule(1, {0, 0}),
      path_rule(1, {0, 0}, {Formula::truth(), has, Formula::truth()}),
      path_rule(1, {0, 0}, {Formula::truth(), Formula::negation(has), Formula::truth()}),
  };
  const auto counts = [&](std::size_t frontier) {
    std::vector<std::vector<std::pair<EntityId, int>>> result(rules.size());
    RuleExplorer explorer(graph, 1, rules, frontier);
    const RuleWalk& walk = explorer.walk({0, 0, false});
    for (const RuleWalk::Finding& found : walk.findings()) {
      for (std::size_t i = 0; i < found.size; ++i)
        result[found.rule].emplace_back(walk.entities(found)[i], walk.counts(found)[i]);
    }
    return result;
  };
  using Counts = std::vector<std::pair<EntityId, int>>;
  EXPECT_EQ(counts(10), (std::vector<Counts>{{{4, 3}, {5, 1}}, {{4, 2}}, {{4, 1}, {5, 1}}}));
  EXPECT_EQ(counts(1)[0], (Counts{{4, 1}}));
}

TEST(DistillWalk, KeepsSomeRules) {
  const Dataset dataset = family();
  const Graph graph = dataset.known_graph();
  Random random(5);
  const std::vector<Rule> rules = some_rules(graph, 0, random);
  std::vector<Question> questions;
  for (const Edge& edge : graph.edges(3)) questions.push_back({3, edge.target});
  FeatureTable table(graph, 0, rules, questions, 100, 1'000'000);
  std::vector<std::uint32_t> numbers(rules.size(), RuleTrie::none);
  std::vector<Rule> kept;
  for (std::size_t i = 0; i < rules.size(); i += 3) {
    numbers[i] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(rules[i]);
  }
  table.keep(numbers);
  const auto content = [](const FeatureTable& from) {
    std::vector<std::vector<EntityId>> all;
    for (std::size_t query = 0; query < from.size(); ++query) {
      std::vector<std::pair<std::uint32_t, std::vector<EntityId>>> of_query;
      for (const auto& found : from.findings(query)) {
        std::vector<EntityId> entities;
        for (const std::uint32_t place : from.entities(found))
          entities.push_back(from.touched(query)[place]);
        of_query.emplace_back(found.rule, std::move(entities));
      }
      std::sort(of_query.begin(), of_query.end());
      for (auto& [rule, entities] : of_query) {
        entities.push_back(rule);
        all.push_back(entities);
      }
    }
    return all;
  };
  EXPECT_EQ(content(table), content(FeatureTable(graph, 0, kept, questions, 100, 1'000'000)));
}

}  // namespace
}  // namespace lerpp
