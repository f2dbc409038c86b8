// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <regex>

#include <gtest/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/logic/rule_file.hpp>
#include <lerp/read/rules.hpp>
#include <lerp/train/train.hpp>

#include "read/rule_counter.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

struct Case {
  Dataset dataset;
  std::vector<Rule> truth;
  Model model;
};

Case learn(std::uint32_t people, std::uint32_t epochs, std::string_view preset_name) {
  Case made;
  FamilyOptions family;
  family.people = people;
  Generated generated = generate_family(family);
  made.dataset = std::move(generated.dataset);
  std::string rules;
  for (const std::string& rule : generated.rules) rules += rule + "\n";
  made.truth = parse_rules(rules, {made.dataset.relations, made.dataset.entities}, "rules").value();
  TrainOptions options = preset(preset_name, made.dataset).value();
  options.train.epochs = epochs;
  options.train.threads = 1;
  if (preset_name == "paper") options.rules.count = 4;
  made.model = train(made.dataset, resolve(made.dataset, options).value()).value().model;
  return made;
}

/// A small family and a model of it, learned once.
const Case& learned() {
  static const Case result = learn(120, 4, "default");
  return result;
}

RulesOptions quick(std::uint32_t top) {
  RulesOptions options;
  options.top = top;
  options.questions = 30;
  options.threads = 1;
  return options;
}

void expect_sound(const RuleReport& report, const Dataset& dataset) {
  const Graph graph = dataset.known_graph();
  Evaluator evaluator(graph);
  for (std::size_t i = 0; i < report.rules.size(); ++i) {
    const ReadRule& read = report.rules[i];
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(same_rule(read.rule, report.rules[k].rule, graph.relations())) << i << " " << k;
    EXPECT_LT(read.rule.target(), graph.relations());
    const bool distinct = read.rule.is_pair() || !read.rule.hops().empty();
    EXPECT_EQ(read.support, support(read.rule, evaluator, {true, distinct}));
    for (const RuleExample& example : read.examples) {
      const EntityId x = example.path.front();
      const EntityId y = example.path.back();
      EXPECT_EQ(graph.contains(x, read.rule.target(), y), example.known);
      EXPECT_TRUE(proof(read.rule, x, y, evaluator).has_value());
    }
  }
}

TEST(Rules, OfAModelAreDistinctCountedAndProved) {
  const auto& [dataset, truth, model] = learned();
  const RuleReport report = rules(model, KnownGraph(dataset), quick(40)).value();
  ASSERT_EQ(report.rules.size(), 40U);
  EXPECT_GT(report.found, 40U);
  EXPECT_GT(report.questions, 200U);
  EXPECT_GE(report.rules.front().share, report.rules.back().share);
  expect_sound(report, dataset);
  // Of so few facts some rules hold by chance, and count; fewer of those that hold nearly always.
  const double precision = compare(report, truth, dataset).value().precision();
  EXPECT_GT(precision, 0.4);
  RulesOptions sure = quick(40);
  sure.confidence = 0.7;
  const RuleReport surest = rules(model, KnownGraph(dataset), sure).value();
  EXPECT_GT(compare(surest, truth, dataset).value().precision(), std::max(0.6, precision));
}

TEST(SlowRules, AreTheSameForASeedAndAnyNumberOfThreads) {
  const auto& [dataset, truth, model] = learned();
  RulesOptions options = quick(15);
  const Json once = to_json(rules(model, KnownGraph(dataset), options).value(), dataset)["rules"];
  options.threads = 3;
  EXPECT_EQ(to_json(rules(model, KnownGraph(dataset), options).value(), dataset)["rules"], once);
}

TEST(Rules, AreOfOneRelationAndSureWhereAsked) {
  const auto& [dataset, truth, model] = learned();
  RulesOptions options = quick(0);
  options.relation = "uncle";
  options.confidence = 0.6;
  options.pca = 0.7;
  const RuleReport report = rules(model, KnownGraph(dataset), options).value();
  ASSERT_GT(report.rules.size(), 5U);
  for (const ReadRule& read : report.rules) {
    EXPECT_EQ(dataset.relations.name(read.rule.target()), "uncle");
    EXPECT_GE(read.support.confidence(), 0.6);
    EXPECT_GE(read.support.pca_confidence(), 0.7);
    EXPECT_GT(read.rule.weight(), 0);
  }
  options.relation = "ankle";
  EXPECT_EQ(to_string(rules(model, KnownGraph(dataset), options).error()),
            "there is no relation 'ankle' (family): did you mean uncle?");
  Dataset other = dataset;
  other.relations = Vocabulary();
  other.relations.intern("likes");
  options.relation = "";
  EXPECT_EQ(rules(model, KnownGraph(other), options).error().what,
            "the model was learned from other relations");
}

TEST(Rules, OfASumWeighWhatAGroundingAdds) {
  const Case given = learn(60, 1, "paper");
  const RuleReport report = rules(given.model, KnownGraph(given.dataset), quick(20)).value();
  EXPECT_TRUE(report.sum);
  ASSERT_EQ(report.rules.size(), 20U);
  expect_sound(report, given.dataset);
  const double most = given.model.shape().rules;
  for (const ReadRule& read : report.rules) {
    EXPECT_EQ(read.source, Source::soft);
    EXPECT_GT(read.rule.weight(), 0);
    EXPECT_LT(read.rule.weight(), most);
  }
}

TEST(SlowRules, AreSortedByShareSupportedAndTheSameInAnyList) {
  for (const char* preset_name : {"default", "paper"}) {
    const Case given = learn(60, 2, preset_name);
    const KnownGraph known(given.dataset);
    const RuleReport all = rules(given.model, known, quick(0)).value();
    for (std::size_t i = 0; i < all.rules.size(); ++i) {
      const ReadRule& read = all.rules[i];
      EXPECT_TRUE(i == 0 || read.share <= all.rules[i - 1].share) << i;
      EXPECT_TRUE(read.rule.weight() <= 0 || read.support.support > 0) << i;
    }
    for (const std::uint32_t top : {1U, 7U, 30U}) {
      const RuleReport some = rules(given.model, known, quick(top)).value();
      ASSERT_EQ(some.rules.size(), top);
      for (std::size_t i = 0; i < top; ++i) {
        EXPECT_EQ(some.rules[i].rule, all.rules[i].rule);  // the weight is part of it
        EXPECT_EQ(some.rules[i].share, all.rules[i].share);
      }
    }
  }
}

/// A reading of the family that is kept in a folder.
class KeptRules : public testing::Test {
 protected:
  Json read(const RulesOptions& options) const {
    const auto& [dataset, truth, model] = learned();
    return to_json(rules(model, KnownGraph(dataset), options, {}, file_).value(), dataset)["rules"];
  }
  std::string content() const { return std::string(read_file(file_).value().view()); }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = readings_file(folder_.path());
};

TEST_F(KeptRules, AreThoseThatWereRead) {
  RulesOptions options = quick(10);
  options.questions = 6;
  const Json first = read(options);
  const std::string kept = content();
  EXPECT_EQ(read(options), first);
  EXPECT_EQ(content(), kept);  // nothing was read again, nothing written
  RulesOptions others = options;
  others.top = 3;
  others.relation = "uncle";
  const Json uncles = read(others);
  EXPECT_EQ(read(options), first);
  std::filesystem::remove(file_);
  EXPECT_EQ(read(others), uncles);
  EXPECT_EQ(read(options), first);
}

TEST_F(KeptRules, AreReadAgainWhereTheFileIsNotTheirs) {
  RulesOptions options = quick(5);
  options.relation = "husband";
  const Json first = read(options);
  const std::string kept = content();
  RulesOptions other = options;
  other.seed = 2;
  read(other);
  EXPECT_NE(content(), kept);
  EXPECT_EQ(read(options), first);
  for (const std::string& damaged :
       {std::string(), kept.substr(0, kept.size() / 2), std::string("[]"),
        std::string("{\"key\":1}"),
        std::regex_replace(kept, std::regex("\"weight\":"), "\"wait\":"),
        std::regex_replace(kept, std::regex("\"path\":\\[[0-9]+"), "\"path\":[4000000000")}) {
    ASSERT_TRUE(write_file(file_, damaged));
    EXPECT_EQ(read(options), first);
    EXPECT_EQ(content(), kept);
  }
}

/// Lists of rules about husbands.
class ListedRules : public testing::Test {
 protected:
  RuleReport read(const RuleList& list) const {
    RulesOptions options = quick(10);
    options.relation = "husband";
    return rules(list, KnownGraph(dataset_), options).value();
  }

  const Dataset& dataset_ = learned().dataset;
  const RelationId husband_ = *dataset_.relations.find("husband");
  const RelationId wife_ = *dataset_.relations.find("wife");
  const RelationId relations_ = dataset_.relations.size();
};

TEST_F(ListedRules, KeepTheirWeights) {
  RuleList list;
  list.rules = {{path_rule(husband_, {wife_ + relations_}, {}, 3), 0},
                {pair_rule(husband_, Formula(), Formula::exists(wife_), 0.5), 1},
                {path_rule(husband_, {}, {}, -2), 0}};
  const RuleReport report = read(list);
  ASSERT_GE(report.rules.size(), 2U);
  EXPECT_TRUE(same_rule(report.rules[0].rule, list.rules[0].rule, relations_));
  EXPECT_DOUBLE_EQ(report.rules[0].rule.weight(), 3);
  EXPECT_EQ(report.rules[0].source, Source::list);
  // More than half of the evidence, of 30 questions and ten that said nothing.
  EXPECT_GT(report.rules[0].share, 0.5 * 30 / 40);
  expect_sound(report, dataset_);
}

TEST_F(ListedRules, OfAGroupShareWhatItIsWorth) {
  const OperatorId back = wife_ + relations_;
  RuleList list;
  list.rules = {{path_rule(husband_, {back}, {}, 2), 3, 1},
                {path_rule(husband_, {back, wife_, back}, {}, 2), 2, 1}};
  const RuleReport report = read(list);
  ASSERT_EQ(report.rules.size(), 2U);
  double sum = 0;
  for (const ReadRule& one : report.rules) sum += one.rule.weight();
  // Each wife has one husband: one grounding of either.
  EXPECT_NEAR(sum, 2 * std::log(1 + 3 + 2.0), 1e-5);
  EXPECT_NEAR(report.rules[0].rule.weight() / report.rules[1].rule.weight(), 1.5, 1e-5);
}

TEST(SlowRules, TheTrueRulesOfAFamilyAreRecovered) {
  const Case given = learn(200, 12, "default");
  RulesOptions options;
  options.threads = 2;
  options.top = 50;
  const RuleReport few = rules(given.model, KnownGraph(given.dataset), options).value();
  EXPECT_GT(compare(few, given.truth, given.dataset).value().precision(), 0.7);
  options.top = 0;
  options.confidence = 0.7;
  const RuleReport all = rules(given.model, KnownGraph(given.dataset), options).value();
  const Recovery recovery = compare(all, given.truth, given.dataset).value();
  EXPECT_GT(recovery.precision(), 0.7);
  EXPECT_GT(recovery.recall(), 0.7);
  EXPECT_GT(recovery.coverage(), 0.9);
}

/// Relation 0 leads to y, 1 is the head, 2 a mark.
struct Counted {
  std::vector<Fact> facts = {{0, 0, 1}, {2, 0, 3}, {4, 0, 5}, {0, 1, 1}, {2, 1, 1}, {4, 1, 3}};
  std::vector<Fact> asked = {{2, 1, 3}};
  Graph known = Graph(6, 3, {facts});
  Graph valid = Graph(6, 3, {asked});
  RulesOptions options;
};

TEST(RuleCounter, CountsByHand) {
  const Counted given;
  RuleCounter counter(given.known, given.valid, given.options);
  ReadRule path = {path_rule(1, {0})};
  counter.count(path);
  EXPECT_EQ(path.support.body, 3U);
  EXPECT_EQ(path.support.support, 1U);
  EXPECT_EQ(path.news, 2U);
  EXPECT_EQ(path.hits, 1U);
  // One of 2 new pairs, where 1 of 3 unknown pairs of the domain and range is a validation fact.
  ASSERT_TRUE(path.lift.has_value());
  EXPECT_DOUBLE_EQ(*path.lift, 1.5);
  ASSERT_EQ(path.examples.size(), 1U);
  EXPECT_EQ(path.examples[0].path, (std::vector<EntityId>{0, 1}));
  ReadRule pair = {pair_rule(1, Formula(), Formula::exists(3))};
  counter.count(pair);
  EXPECT_EQ(pair.support.body, 15U);
  EXPECT_EQ(pair.news, 12U);
  EXPECT_EQ(pair.hits, 1U);
  EXPECT_DOUBLE_EQ(pair.lift.value_or(0), 0.25);
}

TEST(RuleCounter, CountsAnEntityWithItselfWhereNothingElseIsMeant) {
  const std::vector<Fact> facts = {{0, 0, 0}, {1, 0, 1}, {2, 0, 0}};
  const Graph known(3, 1, {facts});
  const Graph none(3, 1, {std::span<const Fact>()});
  const RulesOptions options;
  RuleCounter counter(known, none, options);
  ReadRule same = {path_rule(0, {})};
  counter.count(same);
  EXPECT_EQ(same.support.body, 3U);
  EXPECT_EQ(same.support.support, 2U);
  EXPECT_EQ(same.news, 1U);
}

TEST(RuleCounter, DropsConstraintsThatMakeNoDifference) {
  const Counted given;
  RuleCounter counter(given.known, given.valid, given.options);
  // All x have an answer; of three y, one is no answer, and that one is wrong.
  const Formula answered = Formula::exists(1);
  const Formula answer = Formula::exists(4);
  const Rule rule = path_rule(1, {0}, {answered, answer});
  EXPECT_EQ(counter.tidied(rule, false), path_rule(1, {0}, {Formula(), answer}));
  EXPECT_EQ(counter.tidied(rule, true), path_rule(1, {0}));
  const Rule against = path_rule(1, {0}, {answered, Formula::negation(answer)});
  EXPECT_EQ(counter.tidied(against, true),
            path_rule(1, {0}, {Formula(), Formula::negation(answer)}));
}

TEST(RuleCounter, FindsTheLiteralThatMakesARuleRight) {
  std::vector<Fact> facts;
  for (EntityId x = 0; x < 10; ++x) {
    facts.push_back({x, 0, x + 10});
    if (x < 5) facts.push_back({x, 1, x + 10});
    if (x < 5) facts.push_back({x, 2, 19});
  }
  const Graph known(20, 3, {facts});
  const Graph none(20, 3, {std::span<const Fact>()});
  RulesOptions options;
  RuleCounter counter(known, none, options);
  const Rule rule = path_rule(1, {0});
  const Literal useless = {true, Formula::exists(3), 9};
  const Literal wrong = {false, Formula::negation(Formula::exists(2)), 8};
  const Literal right = {false, Formula::exists(2), 1};
  const auto found = counter.refinement(rule, {useless, wrong, right});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->formula, right.formula);
  EXPECT_TRUE(same_rule(with_literal(rule, *found),
                        path_rule(1, {0}, {Formula::exists(2), Formula::truth()}), 3));
  EXPECT_FALSE(counter.refinement(rule, {useless, wrong}).has_value());
}

TEST(Recovery, KnowsTrueRulesFromOthers) {
  Dataset dataset;
  dataset.name = "small";
  for (const char* name : {"a", "b", "c", "d"}) dataset.entities.intern(name);
  for (const char* name : {"p", "q", "s"}) dataset.relations.intern(name);
  // q(a,b) is true and no file mentions it; s holds of all that p leads to.
  dataset[Split::train] = {{1, 0, 0}, {3, 0, 2}, {2, 1, 3}, {0, 2, 0}, {2, 2, 2}};
  const auto parsed = [&](const std::string& text) {
    return parse_rules(text, {dataset.relations, dataset.entities}, "rules").value();
  };
  const auto truth = parsed("p(y,x) ⇒ q(x,y)\np(y,x) ∧ ∃z s(x,z) ⇒ q(x,y)\nq(y,x) ⇒ p(x,y)\n");
  RuleReport report;
  for (const Rule& rule : parsed("2 p(y,x) ⇒ q(x,y)\n1 p(x,y) ⇒ q(x,y)\n-3 x = y ⇒ q(x,y)\n"))
    report.rules.push_back({rule});
  const Recovery recovery = compare(report, truth, dataset).value();
  EXPECT_EQ(recovery.shown, 2U);
  EXPECT_EQ(recovery.right, 1U);
  ASSERT_EQ(recovery.wrong.size(), 1U);
  EXPECT_EQ(recovery.wrong[0], report.rules[1].rule);
  // The second true rule has the pairs of the first.
  EXPECT_EQ(recovery.found, 2U);
  EXPECT_EQ(recovery.covered, 2U);
  ASSERT_EQ(recovery.missed.size(), 1U);
  EXPECT_DOUBLE_EQ(recovery.precision(), 0.5);
  EXPECT_DOUBLE_EQ(recovery.recall(), 2.0 / 3);
}

}  // namespace
}  // namespace lerpp
