// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/distill/apply.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/logic/evaluate.hpp>

#include "logic/random_anyburl.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::entities;
using test::relations;

std::vector<float> scores_of(const Scorer& scorer, const Query& query) {
  std::vector<Scores> scores(1);
  scorer.score({&query, 1}, scores);
  std::vector<float> all(entities, scores[0].rest);
  for (std::size_t i = 0; i < scores[0].entities.size(); ++i) {
    all[scores[0].entities[i]] = scores[0].values[i];
  }
  return all;
}

/// Rules of both kinds with few confidences, so that many are equal.
std::vector<ConfidentRule> any_rules() {
  std::vector<ConfidentRule> rules;
  const int count = *test::below(12);
  for (int i = 0; i < count; ++i) {
    const double confidence = *rc::gen::element(0.0, 0.25, 0.5, 0.75, -0.5);
    if (*rc::gen::arbitrary<bool>()) {
      rules.push_back({test::any_rule(1), confidence});
    } else {
      rules.push_back({test::any_anyburl_rule(), confidence});
    }
  }
  return rules;
}

bool derives(const ConfidentRule& one, const Query& query, EntityId y, const Graph& graph) {
  if (const Rule* rule = std::get_if<Rule>(&one.rule)) {
    Evaluator evaluator(graph);
    if (rule->target() == query.target) {
      const auto found = answers(*rule, query.start, evaluator);
      return std::ranges::find(found, y) != found.end();
    }
    if (rule->target() != graph.inverse(query.target)) return false;
    const auto found = answers(*rule, y, evaluator);
    return std::ranges::find(found, query.start) != found.end();
  }
  const auto& rule = std::get<AnyburlRule>(one.rule);
  if (rule.target == query.target) {
    return test::slow_answers(rule, query.start, graph).contains(y);
  }
  return rule.target == graph.inverse(query.target) && !rule.directed &&
         test::slow_answers(rule, y, graph).contains(query.start);
}

RC_GTEST_PROP(Apply, MaxComparesConfidencesOneAfterTheOther, ()) {
  const std::vector<Fact> facts = test::any_facts();
  const Graph graph(entities, relations, {facts});
  const std::vector<ConfidentRule> rules = any_rules();
  const auto scorer = make_scorer(rules, graph, Aggregation::max);
  const Query query = {test::any_operator(), *test::below<EntityId>(entities)};
  std::vector<std::vector<double>> lists(entities);
  for (EntityId y = 0; y < entities; ++y) {
    for (const ConfidentRule& one : rules) {
      if (one.confidence > 0 && derives(one, query, y, graph)) lists[y].push_back(one.confidence);
    }
    std::ranges::sort(lists[y], std::ranges::greater());
  }
  const std::vector<float> scores = scores_of(*scorer, query);
  for (EntityId a = 0; a < entities; ++a) {
    for (EntityId b = 0; b < entities; ++b) {
      RC_ASSERT((scores[a] < scores[b]) == (lists[a] < lists[b]));
    }
  }
}

RC_GTEST_PROP(Apply, SumsAddUp, ()) {
  const std::vector<Fact> facts = test::any_facts();
  const Graph graph(entities, relations, {facts});
  const std::vector<ConfidentRule> rules = any_rules();
  const Query query = {test::any_operator(), *test::below<EntityId>(entities)};
  const auto sums = scores_of(*make_scorer(rules, graph, Aggregation::sum), query);
  const auto noisy = scores_of(*make_scorer(rules, graph, Aggregation::noisy_or), query);
  for (EntityId y = 0; y < entities; ++y) {
    double sum = 0;
    double none = 1;
    for (const ConfidentRule& one : rules) {
      if (!derives(one, query, y, graph)) continue;
      sum += one.confidence;
      if (one.confidence > 0) none *= 1 - one.confidence;
    }
    RC_ASSERT(std::abs(sums[y] - sum) < 1e-5);
    RC_ASSERT(std::abs(std::exp(-noisy[y]) - none) < 1e-5);
  }
}

Dataset small() {
  Dataset dataset;
  for (const auto* name : {"anna", "ben", "carl"}) dataset.entities.intern(name);
  for (const auto* name : {"son", "mother"}) dataset.relations.intern(name);
  dataset[Split::train] = {{1, 0, 0}, {2, 0, 0}, {0, 1, 1}};
  return dataset;
}

TEST(Apply, ConfidencesComeFromTheFigures) {
  const test::TemporaryFolder folder;
  const Dataset dataset = small();
  const auto path = folder.path() / "rules";
  ASSERT_TRUE(write_file(path,
                         "15\t10\t0.6\tson(X,Y) <= mother(Y,X)\n"
                         "15\t10\t0.6\tson(X,anna) <= mother(A,X)\n"
                         "15\t10\t0.6\tson(X,anna) <= mother(ben,X)\n"
                         "15\t10\t0.6\tson(X,anna) <= \n"));
  const auto rules = load_confident_rules(path, dataset);
  ASSERT_TRUE(rules) << to_string(rules.error());
  ASSERT_EQ(rules->size(), 4U);
  EXPECT_DOUBLE_EQ((*rules)[0].confidence, 0.5);
  EXPECT_DOUBLE_EQ((*rules)[1].confidence, 0.005);
  EXPECT_DOUBLE_EQ((*rules)[2].confidence, 0.5);
  EXPECT_DOUBLE_EQ((*rules)[3].confidence, 0.05);
}

TEST(Apply, TheFileTellsHowItIsScored) {
  const test::TemporaryFolder folder;
  const Dataset dataset = small();
  const KnownGraph known(dataset);
  const auto applied = [&](std::string_view text, std::string_view aggregation = "") {
    EXPECT_TRUE(write_file(folder.path() / "rules", text));
    return load_applied_rules(folder.path() / "rules", known, aggregation);
  };
  EXPECT_EQ(applied("0.5 mother(y,x) ⇒ son(x,y)\n")->aggregation, "max");
  EXPECT_EQ(applied("0.5 mother(y,x) ⇒ son(x,y)\n", "sum")->aggregation, "sum");
  EXPECT_EQ(applied("1\t1\t1\tson(X,Y) <= mother(Y,X)\n")->aggregation, "max");
  EXPECT_FALSE(applied("0.5 mother(y,x) ⇒ son(x,y)\n", "median"));

  ASSERT_TRUE(save_rules({{{path_rule(0, {1 + 2}, {}, 0.5), 0.25}}, 1000}, dataset,
                         folder.path() / "list"));
  const auto list = load_applied_rules(folder.path() / "list", known);
  ASSERT_TRUE(list) << to_string(list.error());
  EXPECT_EQ(list->aggregation, "list");
  EXPECT_EQ(list->rules, 1U);
}

TEST(Apply, NamesOfAggregations) {
  EXPECT_TRUE(aggregation_named("noisy-or"));
  EXPECT_FALSE(aggregation_named("median"));
}

}  // namespace
}  // namespace lerpp
