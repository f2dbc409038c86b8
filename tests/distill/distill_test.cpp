// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <gtest/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/logic/rule_body.hpp>
#include <lerp/train/train.hpp>

#include "distill/fit.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

struct Case {
  Dataset dataset;
  Model model;
};

/// A small family and a model of it, learned once.
const Case& learned() {
  static const Case result = [] {
    Case made;
    FamilyOptions family;
    family.people = 120;
    made.dataset = generate_family(family).dataset;
    TrainOptions options = preset("default", made.dataset).value();
    options.train.epochs = 4;
    options.train.threads = 1;
    made.model = train(made.dataset, resolve(made.dataset, options).value()).value().model;
    return made;
  }();
  return result;
}

DistillOptions quick() {
  DistillOptions options;
  options.trust = 0.8;
  options.rules = 30;
  options.candidates = 60;
  options.queries = 200;
  options.open = 100;
  options.literals = 1;
  options.steps = 40;
  options.threads = 1;
  return options;
}

double mrr(const RuleList& list, const Dataset& dataset) {
  const Graph known = dataset.known_graph();
  return rank(*make_scorer(list, known), dataset, {}).value().both.realistic.mrr;
}

TEST(SlowDistill, IsShortAndNearTheModel) {
  const auto& [dataset, model] = learned();
  const RuleList list = distill(model, KnownGraph(dataset), quick()).value();
  const Fidelity result =
      fidelity(model, list, KnownGraph(dataset), {Split::valid, Split::test}).value();
  ASSERT_EQ(result.splits.size(), 2U);
  std::size_t most = 0;
  for (const auto& relation : result.relations) most = std::max(most, relation.rules);
  EXPECT_LE(most, 30U);
  const double soft = result.splits[1].model.both.realistic.mrr;
  const double discrete = result.splits[1].list.both.realistic.mrr;
  EXPECT_GT(soft, 0.8);
  EXPECT_GT(discrete, soft - 0.1);
  EXPECT_EQ(discrete, mrr(list, dataset));
}

TEST(RulesOfRelations, CountARuleOnceWhicheverEndItAnswers) {
  constexpr RelationId relations = 3;
  const Formula some = Formula::exists(1);
  const Rule path = path_rule(0, {1, 5}, {some, Formula::truth(), Formula::truth()});
  std::vector<ListedRule> list = {{path}, {path_rule(0, {1, 5})}};
  EXPECT_EQ(rules_of_relations(list, relations), (std::vector<std::size_t>{2, 0, 0}));
  list.push_back({with_weight(reversed(path, relations), 7)});
  EXPECT_EQ(rules_of_relations(list, relations), (std::vector<std::size_t>{2, 0, 0}));
  list.push_back({path_rule(3, {1, 5})});  // the same hops from the other end are another rule
  list.push_back({path_rule(1, {1, 5})});
  // What x takes part in and what y takes part in are two rules.
  list.push_back({pair_rule(2, Formula::truth(), some)});
  list.push_back({pair_rule(5, Formula::truth(), some)});
  EXPECT_EQ(rules_of_relations(list, relations), (std::vector<std::size_t>{3, 1, 2}));
}

TEST(SlowDistill, RulesAnswerBothEnds) {
  const auto& [dataset, model] = learned();
  const RuleList list = distill(model, KnownGraph(dataset), quick()).value();
  const auto counts = rules_of_relations(list.rules, dataset.relations.size());
  EXPECT_GT(list.rules.size(), std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
}

TEST(SlowDistill, IsTheSameForAnyNumberOfThreads) {
  const auto& [dataset, model] = learned();
  DistillOptions options = quick();
  options.literals = 0;
  options.rules = 8;
  options.candidates = 20;
  const RuleList one = distill(model, KnownGraph(dataset), options).value();
  options.threads = 2;
  const RuleList two = distill(model, KnownGraph(dataset), options).value();
  ASSERT_EQ(one.rules.size(), two.rules.size());
  for (std::size_t i = 0; i < one.rules.size(); ++i) {
    EXPECT_EQ(one.rules[i].rule, two.rules[i].rule);
    EXPECT_EQ(one.rules[i].more, two.rules[i].more);
    EXPECT_EQ(one.rules[i].group, two.rules[i].group);
  }
}

/// A graph of no more than what the options look at.
Dataset of_size(std::size_t entities, std::size_t facts) {
  Dataset dataset;
  for (std::size_t i = 0; i < entities; ++i) dataset.entities.intern("e" + std::to_string(i));
  dataset.relations.intern("r");
  for (std::size_t i = 0; i < facts; ++i) {
    dataset[Split::train].push_back({static_cast<EntityId>(i % entities), 0,
                                     static_cast<EntityId>((i * 7 + i / entities) % entities)});
  }
  return dataset;
}

TEST(DistillOptions, TrustTheModelWhereFactsAreFew) {
  EXPECT_EQ(distill_options(of_size(80, 960)).trust, 1);
  EXPECT_EQ(distill_options(of_size(80, 959)).trust, 0.5);
  EXPECT_EQ(distill_options(of_size(2000, 900)).trust, 0.5);
  const DistillOptions rich = distill_options(of_size(2000, 1000));
  EXPECT_EQ(rich.trust, 0);
  EXPECT_GT(rich.folds, 1U);
  EXPECT_LT(rich.cut, distill_options(of_size(2000, 900)).cut);
  EXPECT_EQ(distill_options(of_size(10'001, 900)).trust, 0);
  EXPECT_EQ(distill_options(of_size(10'001, 120'012)).trust, 0.8);
}

TEST(DistillOptions, AskFewQuestionsOfEachOfManyRelations) {
  Dataset crowded = of_size(10'001, 120'012);
  EXPECT_EQ(distill_options(crowded).queries, DistillOptions().queries);
  for (std::size_t i = 1; i < 100; ++i) crowded.relations.intern("r" + std::to_string(i));
  EXPECT_EQ(distill_options(crowded).queries, 350U);
  for (std::size_t i = 100; i < 10'000; ++i) crowded.relations.intern("r" + std::to_string(i));
  EXPECT_EQ(distill_options(crowded).queries, 100U);
}

RuleList by_hand() {
  const Formula lone = Formula::negation(Formula::exists(2));
  RuleList list;
  list.frontier = 77;
  list.rules = {{path_rule(0, {1, 4}, {}, 0.1), -1.0 / 3},
                {path_rule(1, {2}, {lone, Formula::exists(0)}, -2.5), 1e-9},
                {path_rule(3, {}, {}, -4), 0},
                {path_rule(0, {3}, {}, double{0.1F}), double{12345.678F}, 7},
                {path_rule(0, {2, 3}, {}, double{0.1F}), 2, 7},
                {pair_rule(0, Formula::truth(), Formula::exists(5), 0.7), 0.01},
                {pair_rule(0, lone, lone, 0.3), 0}};
  return list;
}

TEST(DistillFile, ReadsBackToTheSameRanks) {
  const test::TemporaryFolder folder;
  const Dataset& dataset = learned().dataset;
  const RuleList list = by_hand();
  ASSERT_TRUE(save_rules(list, dataset, folder.path() / "rules.txt"));
  const RuleList back = load_rules(folder.path() / "rules.txt", dataset).value();
  EXPECT_EQ(back.frontier, 77U);
  ASSERT_EQ(back.rules.size(), list.rules.size());
  for (std::size_t i = 0; i < list.rules.size(); ++i) {
    const Rule& rule = list.rules[i].rule;
    EXPECT_EQ(with_weight(back.rules[i].rule, rule.weight()), rule);
    EXPECT_FLOAT_EQ(static_cast<float>(back.rules[i].rule.weight()),
                    static_cast<float>(rule.weight()));
    EXPECT_EQ(static_cast<float>(back.rules[i].more), static_cast<float>(list.rules[i].more));
    EXPECT_EQ(back.rules[i].group, list.rules[i].group);
  }
  EXPECT_EQ(mrr(back, dataset), mrr(list, dataset));
}

TEST(DistillFile, SaysWhichLineIsWrong) {
  const test::TemporaryFolder folder;
  const Dataset& dataset = learned().dataset;
  const std::string name(dataset.relations.name(0));
  const auto wrong = [&](const std::string& text) {
    EXPECT_TRUE(write_file(folder.path() / "rules.txt", text));
    return test::sentence(load_rules(folder.path() / "rules.txt", dataset), folder.path().string());
  };
  EXPECT_EQ(wrong("# frontier 5\n1 2  x = y ⇒ " + name + "(x,y)\n"), "");
  EXPECT_EQ(wrong("\n1  x = y ⇒ " + name + "(x,y)\n"), "");
  EXPECT_EQ(wrong("# frontier 5\n"), "the file holds no rules (rules.txt): write one a line");
  EXPECT_EQ(wrong("# frontier 0\n"),
            "the frontier is not a positive number (rules.txt, line 1): write: # frontier 1000");
  // Columns count from the start of the line, in characters.
  const std::string unknown = "a relation that is not known, nobody (rules.txt, line 1, column ";
  EXPECT_EQ(wrong("nobody(x,y) ⇒ " + name + "(x,y)\n").find(unknown + "1)"), 0U);
  EXPECT_EQ(wrong("1  nobody(x,y) ⇒ " + name + "(x,y)\n").find(unknown + "4)"), 0U);
  EXPECT_EQ(wrong("1.5 2  nobody(x,y) ⇒ " + name + "(x,y)\n").find(unknown + "8)"), 0U);
  EXPECT_EQ(wrong("1.5 2 [3]  nobody(x,y) ⇒ " + name + "(x,y)\n").find(unknown + "12)"), 0U);
}

TEST(DistillFile, HoldsARuleOnce) {
  const test::TemporaryFolder folder;
  const Dataset& dataset = learned().dataset;
  const std::string name(dataset.relations.name(0));
  const std::string other(dataset.relations.name(1));
  const auto wrong = [&](const std::string& text) {
    EXPECT_TRUE(write_file(folder.path() / "rules.txt", text));
    return test::sentence(load_rules(folder.path() / "rules.txt", dataset), folder.path().string());
  };
  const std::string rule = "x = y ⇒ " + name + "(x,y)\n";
  const std::string twice =
      "the rule stands in the file twice (rules.txt, line 4): keep this line or line 2, or add up "
      "their weights";
  EXPECT_EQ(wrong("# ours\n1 2  " + rule + "\n3 4  " + rule), twice);
  EXPECT_EQ(wrong("# ours\n1 2 [1]  " + rule + "\n3 4 [2]  " + rule), twice);
  const std::string chain = "(x,z) ∧ " + other + "(z,y) ⇒ " + name + "(x,y)\n";
  EXPECT_EQ(wrong("# ours\n1 2  " + other + chain + "1 2  x = y ⇒ " + other + "(x,y)\n3 4  " +
                  other + "(x,z1) ∧ " + other + "(z1,y) ⇒ " + name + "(x,y)\n"),
            twice);
  // Other heads and other bodies are other rules.
  EXPECT_EQ(wrong("1 2  " + rule + "1 2  x = y ⇒ " + name + "(y,x)\n1 2  " + other + chain +
                  "1 2  " + name + chain),
            "");
}

TEST(DistillScorer, AddsWeightsByHand) {
  // 0 has two ways to 3; 1 and 2 have relation 1 to 3.
  const std::vector<Fact> facts = {{0, 0, 1}, {0, 0, 2}, {1, 1, 3}, {2, 1, 3}};
  const Graph graph(4, 2, {facts});
  RuleList list;
  list.rules = {{path_rule(0, {0, 1}, {}, 1), 2},
                {pair_rule(0, Formula::truth(), Formula::exists(3), 0.5), 1},
                {path_rule(0, {}, {}, -3), 0}};
  const Query query = {0, 0};
  Scores scores;
  make_scorer(list, graph)->score({&query, 1}, {&scores, 1});
  ASSERT_EQ(scores.values.size(), 4U);
  EXPECT_FLOAT_EQ(scores.values[3], 1.5F + 3 * std::log(3.0F));
  EXPECT_FLOAT_EQ(scores.values[0], -3);
  EXPECT_EQ(scores.values[1], 0);
}

TEST(DistillScorer, GroupsShareALogarithm) {
  const std::vector<Fact> facts = {{0, 0, 1}, {0, 0, 2}, {1, 1, 3}, {2, 1, 3}, {0, 1, 3}};
  const Graph graph(4, 2, {facts});
  RuleList list;
  list.rules = {{path_rule(0, {0, 1}, {}, -2), 10, 1},
                {path_rule(0, {1}, {}, -2), 0.5, 1},
                {path_rule(0, {}, {}, 3), 4, 2}};
  const Query query = {0, 0};
  Scores scores;
  make_scorer(list, graph)->score({&query, 1}, {&scores, 1});
  EXPECT_FLOAT_EQ(scores.values[3], -2 * std::log(1 + 2 * 10 + 0.5F));
  EXPECT_FLOAT_EQ(scores.values[0], 3 * std::log(5.0F));
  EXPECT_EQ(scores.values[1], 0);
}

/// Rules about aunts and their weights; some may be in groups.
class DistillFit : public testing::Test {
 protected:
  DistillFit() {
    for (const Fact& fact : learned().dataset[Split::train]) {
      if (fact.relation == aunt_) questions_.push_back({fact.subject, fact.object});
    }
    table_.emplace(graph_, aunt_, rules_, questions_, 1000, 1'000'000);
    fit_.grow(rules_.size());
  }

  static OperatorId relation(std::string_view name) {
    return learned().dataset.relations.find(name).value();
  }
  void group_up() {
    fit_.join(0, 1, 3);
    fit_.join(1, 1, 0.1);
    fit_.join(3, 2, 5);
    fit_.group_weights() = {0, 0.3F, -0.1F};
  }
  double loss() { return fit_.learn(*table_, {1e-12, 1e-12, 0, 1, 1}); }

  const Graph graph_ = learned().dataset.known_graph();
  OperatorId aunt_ = relation("aunt");
  std::vector<Rule> rules_ = {
      path_rule(aunt_, {relation("sister"), relation("father")}),
      path_rule(aunt_, {aunt_, relation("brother")}),
      path_rule(aunt_, {graph_.inverse(relation("nephew"))}),
      path_rule(aunt_, {relation("sister"), graph_.inverse(relation("son"))})};
  std::vector<Question> questions_;
  std::optional<FeatureTable> table_;
  RuleFit fit_ = RuleFit(graph_, std::make_shared<PriorClasses>(graph_), {}, 0, 1);
};

TEST_F(DistillFit, LearnsWhatGroupsWeighAndTheirAmounts) {
  group_up();
  // Rules out of groups and what entities take part in stay as they are.
  for (std::size_t rule = 0; rule < fit_.size(); ++rule) fit_.on()[rule] = fit_.group(rule) != 0;
  const double untaught = loss();
  for (int i = 0; i < 3; ++i) {
    const std::vector<RuleFit::Weights> weights = fit_.weights();
    const std::vector<float> group_weights = fit_.group_weights();
    fit_.learn(*table_, {0.01, 0.01, 0, 1, 1});
    EXPECT_LT(loss(), untaught);
    EXPECT_NE(fit_.weights()[0].once, weights[0].once);
    EXPECT_NE(fit_.group_weights()[1], group_weights[1]);
    EXPECT_EQ(fit_.weights()[2].once, weights[2].once);
  }
}

TEST_F(DistillFit, CostsAreWhatLosingARuleOfAGroupCosts) {
  group_up();
  RuleFit::Settings settings;
  settings.epochs = 2;
  fit_.learn(*table_, settings);
  const std::vector<double> costs = fit_.costs(*table_, questions_.size());
  const double before = loss();
  EXPECT_GT(costs[0], 1e-3);
  for (const std::size_t rule : {0, 1, 3}) {
    const RuleFit::Weights weights = fit_.weights()[rule];
    fit_.weights()[rule].once = -60;
    EXPECT_NEAR(costs[rule], loss() - before, 1e-3) << rule;
    fit_.weights()[rule] = weights;
  }
}

TEST_F(DistillFit, CostsAreWhatLosingARuleCosts) {
  RuleFit& fit = fit_;
  RuleFit::Settings settings;
  settings.epochs = 2;
  const double untaught = loss();
  fit.learn(*table_, settings);
  const std::vector<double> costs = fit.costs(*table_, questions_.size());
  const double before = loss();
  EXPECT_LT(before, untaught - 0.1);
  for (std::size_t rule = 0; rule < fit.size(); ++rule) {
    const RuleFit::Weights weights = fit.weights()[rule];
    fit.weights()[rule] = {};
    EXPECT_NEAR(costs[rule], loss() - before, 1e-3) << rule;
    fit.weights()[rule] = weights;
  }
}

TEST(SlowDistill, OneDistillingGivesListsOfSeveralSizes) {
  const auto& [dataset, model] = learned();
  const KnownGraph known(dataset);
  const std::vector<std::uint32_t> sizes = {30, 10};
  const std::vector<RuleList> lists = distill_sizes(model, known, quick(), sizes).value();
  ASSERT_EQ(lists.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (const std::size_t count : rules_of_relations(lists[i].rules, known.graph().relations()))
      EXPECT_LE(count, sizes[i]);
  }
  // The largest is the list that is made when it alone is asked for.
  EXPECT_EQ(mrr(lists[0], dataset), mrr(distill(model, known, quick()).value(), dataset));
  EXPECT_LT(lists[1].rules.size(), lists[0].rules.size());
  EXPECT_LE(mrr(lists[1], dataset), mrr(lists[0], dataset) + 0.01);
}

double score_of(const Scores& scores, EntityId entity) {
  if (scores.is_dense()) return scores.values[entity];
  const auto place = std::find(scores.entities.begin(), scores.entities.end(), entity);
  if (place == scores.entities.end()) return scores.rest;
  return scores.values[static_cast<std::size_t>(place - scores.entities.begin())];
}

TEST(SlowDistill, TheReasonsOfAListAddUpToItsScores) {
  const auto& [dataset, model] = learned();
  const RuleList list = distill(model, KnownGraph(dataset), quick()).value();
  const Graph known = dataset.known_graph();
  const std::unique_ptr<ListScorer> scorer = make_scorer(list, known);
  std::vector<Scores> scores(1);
  std::size_t reasons = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    const Fact& fact = dataset[Split::test][i];
    const Query query{fact.relation, fact.subject};
    scorer->score({&query, 1}, scores);
    double sum = 0;
    double before = std::numeric_limits<double>::infinity();
    for (const RuleShare& reason : scorer->reasons(query, fact.object)) {
      EXPECT_LE(reason.share, before);
      EXPECT_GT(reason.groundings, 0U);
      EXPECT_EQ(list.rules[reason.rule].rule.target(), fact.relation);
      before = reason.share;
      sum += reason.share;
      ++reasons;
    }
    EXPECT_NEAR(sum, score_of(scores[0], fact.object), 1e-4 * (1 + std::abs(sum)));
  }
  EXPECT_GT(reasons, 0U);
}

}  // namespace
}  // namespace lerpp
