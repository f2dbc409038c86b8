// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/logic/evaluate.hpp>
#include <lerp/logic/support.hpp>

#include "explain/small_predictor.hpp"
#include "support/describe.hpp"
#include "support/picture_labels.hpp"

namespace lerpp {
namespace {

double sum_of(const Explanation& explanation) {
  double sum = explanation.others_share + explanation.walks_share;
  for (const Explanation::Reason& reason : explanation.reasons) sum += reason.share;
  return sum;
}

ExplainOptions random_options() {
  ExplainOptions options;
  options.direction = *rc::gen::element<std::string>("tail", "head");
  options.with_fact = *rc::gen::arbitrary<bool>();
  options.reasons = *rc::gen::element(1U, 5U, 1000U);
  options.walks = *rc::gen::element(1U, 10U, 1000U);
  options.top = *rc::gen::element(1U, 3U, 10U);
  return options;
}

/// What the model could see while it was asked.
Graph seen(const SmallWorld& world, const Explanation& explanation) {
  return explanation.hidden ? without(world.graph, {world.fact}) : world.graph;
}

RC_GTEST_PROP(Explain, SharesAddUpToTheScoreOfTheEngine, ()) {
  const SmallWorld world = random_world();
  const Predictor predictor(world.model, KnownGraph(world.dataset), 1);
  const ExplainOptions options = random_options();
  const Explanation explanation = explain(predictor, world.fact, options).value();
  RC_ASSERT(explanation.hidden == (!options.with_fact && world.graph.contains(world.fact)));
  const double score = double{score_of(
      scores_on(seen(world, explanation), world.model, explanation.query), explanation.answer)};
  RC_ASSERT(near(explanation.standing.score, score));
  RC_ASSERT(near(sum_of(explanation), score));
  RC_ASSERT(explanation.reasons.size() <= options.reasons);
  for (const Explanation::Reason& reason : explanation.reasons) {
    double parts = 0;
    for (const Explanation::Part& part : reason.parts) parts += part.share;
    RC_ASSERT(near(parts, reason.share));
  }
}

// The strongest reasons for the answer, with all that speaks against it, outdo whoever is below it;
// with one fewer they do not.
RC_GTEST_PROP(Explain, SmallestSetKeepsTheRank, ()) {
  const SmallWorld world = random_world();
  const Predictor predictor(world.model, KnownGraph(world.dataset), 1);
  ExplainOptions options = random_options();
  options.reasons = 1'000'000;
  const Explanation explanation = explain(predictor, world.fact, options).value();
  const auto scores = scores_on(seen(world, explanation), world.model, explanation.query);
  const double own = explanation.standing.score;
  double next = -std::numeric_limits<double>::infinity();
  const Graph full = world.dataset.full_graph(1);
  for (EntityId entity = 0; entity < world.graph.entities(); ++entity) {
    if (full.contains(explanation.query.start, explanation.query.target, entity)) continue;
    if (entity == explanation.answer) continue;
    const double score = double{score_of(scores, entity)};
    if (near(score, own)) return;  // which of them is below is a matter of rounding
    if (score < own) next = std::max(next, score);
  }
  double sum = std::min(0.0, explanation.walks_share);
  std::vector<double> speaking;
  for (const Explanation::Reason& reason : explanation.reasons) {
    sum += std::min(0.0, reason.share);
    if (reason.share > 0) speaking.push_back(reason.share);
  }
  RC_ASSERT(explanation.smallest <= speaking.size());
  for (std::size_t i = 0; i < explanation.smallest; ++i) {
    // Sums of floats: what is as good as equal decides nothing.
    RC_ASSERT(i == 0 || sum <= next + 1e-3);
    sum += speaking[i];
  }
  RC_ASSERT(explanation.smallest == speaking.size() || sum >= next - 1e-3);
  RC_ASSERT(explanation.told() <= explanation.reasons.size());
}

// Every grounding is a proof: its facts are there and seen, and the rule holds by exact evaluation.
RC_GTEST_PROP(Explain, GroundingsAreProofs, ()) {
  const SmallWorld world = random_world();
  const Predictor predictor(world.model, KnownGraph(world.dataset), 1);
  const Explanation explanation = explain(predictor, world.fact, random_options()).value();
  const Graph graph = seen(world, explanation);
  Evaluator evaluator(graph);
  for (const Explanation::Reason& reason : explanation.reasons) {
    if (!reason.rule) continue;
    const Rule& rule = *reason.rule;
    RC_ASSERT(rule.target() == explanation.query.target);
    if (reason.count > 0) RC_ASSERT(!reason.groundings.empty());
    for (const Explanation::Grounding& grounding : reason.groundings) {
      for (const Fact& fact : grounding.facts) RC_ASSERT(graph.contains(fact));
      RC_ASSERT(grounding.entities.front() == explanation.query.start);
      RC_ASSERT(grounding.entities.back() == explanation.answer);
      for (const Explanation::Check& check : grounding.checks) {
        RC_ASSERT(evaluator(check.formula).contains(check.entity));
        for (const Fact& fact : check.witness) RC_ASSERT(graph.contains(fact));
      }
      if (rule.is_pair()) continue;
      RC_ASSERT(grounding.entities.size() == rule.hops().size() + 1);
      RC_ASSERT(grounding.facts.size() == rule.hops().size());
      for (std::size_t k = 0; k < rule.hops().size(); ++k)
        RC_ASSERT(graph.contains(grounding.entities[k], rule.hops()[k], grounding.entities[k + 1]));
      for (std::size_t k = 0; k < grounding.entities.size(); ++k)
        RC_ASSERT(evaluator(rule.constraints()[k]).contains(grounding.entities[k]));
    }
  }
}

RC_GTEST_PROP(Explain, CountsAsListsOfRulesDo, ()) {
  const SmallWorld world = random_world();
  const Predictor predictor(world.model, KnownGraph(world.dataset), 1);
  const Explanation explanation = explain(predictor, world.fact, random_options()).value();
  const Graph& graph = world.graph;
  Evaluator evaluator(graph);
  for (const Explanation::Reason& reason : explanation.reasons) {
    if (!reason.rule) continue;
    const Rule rule = canonical(*reason.rule, graph.relations());
    const bool distinct = rule.is_pair() || !rule.hops().empty();
    RC_ASSERT(reason.support == support(rule, evaluator, {true, distinct}));
  }
  RC_ASSERT(explanation.top3_share >= 0 && explanation.top3_share <= explanation.top5_share);
  RC_ASSERT(explanation.top5_share <= 1 + 1e-9);
}

RC_GTEST_PROP(Explain, WhatIfIsExact, ()) {
  const SmallWorld world = random_world();
  const Predictor predictor(world.model, KnownGraph(world.dataset), 1);
  const Explanation explanation = explain(predictor, world.fact, random_options()).value();
  const Graph graph = seen(world, explanation);
  const auto score_on = [&](const Graph& other) {
    return double{score_of(scores_on(other, world.model, explanation.query), explanation.answer)};
  };
  for (const Explanation::Needed& needed : explanation.needed)
    RC_ASSERT(near(needed.without.score, score_on(without(graph, {needed.fact}))));
  RC_ASSERT(explanation.missing.empty() || !explanation.predicted);
  for (const Explanation::Missing& missing : explanation.missing) {
    RC_ASSERT(!graph.contains(missing.fact));
    RC_ASSERT(missing.fact != world.fact);
    RC_ASSERT(missing.exact);
    std::vector<Fact> facts = facts_of(graph);
    facts.push_back(missing.fact);
    const Graph more(graph.entities(), graph.relations(), {facts});
    RC_ASSERT(near(missing.with.score, score_on(more)));
    RC_ASSERT(missing.with.score > explanation.standing.score);
    // With it, the body leads to the answer.
    Evaluator evaluator(more);
    RC_ASSERT(proof(missing.rule, explanation.query.start, explanation.answer, evaluator));
  }
}

/// sister(x,z) ∧ mother(z,y) ⇒ aunt(x,y) counts 3, and nothing else anything.
struct Family {
  Dataset dataset;
  Model model;
};

Family family(bool with_mother) {
  Family result;
  Dataset& data = result.dataset;
  data.name = "family";
  for (const char* name : {"sister", "mother", "aunt"}) data.relations.intern(name);
  for (const char* name : {"anna", "clara", "ben", "carl", "dora"}) data.entities.intern(name);
  data[Split::train] = {{0, 0, 1}, {4, 1, 3}, {0, 2, 3}};
  if (with_mother) data[Split::train].push_back({1, 1, 2});
  data[Split::test] = {{0, 2, 2}};
  ModelShape shape;
  shape.relations = 3;
  shape.width = 0;
  shape.depth = 0;
  shape.rules = 1;
  shape.length = 1;
  shape.evidence = true;
  shape.paths = 2;
  std::vector<std::vector<RelationPath>> paths(6);
  paths[2] = {RelationPath{0, 1}};
  result.model.paths = std::make_shared<PathTable>(3, 2, paths);
  result.model.relations = {"sister", "mother", "aunt"};
  result.model.parameters = Parameters<float>(shape);
  result.model.parameters.of(Part::path, 2)[0] = 3;
  return result;
}

constexpr Fact aunt_of_ben = {0, 2, 2};

TEST(Explain, TellsTheRuleTheProofAndTheNeededFacts) {
  const Family given = family(true);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  const Explanation explanation = explain(predictor, aunt_of_ben).value();
  EXPECT_EQ(explanation.known, Split::test);
  EXPECT_FALSE(explanation.hidden);
  EXPECT_TRUE(explanation.predicted);
  EXPECT_EQ(explanation.standing.rank, Rank{});
  ASSERT_EQ(explanation.reasons.size(), 1U);
  EXPECT_NEAR(explanation.reasons[0].share, 3, 1e-6);
  ASSERT_EQ(explanation.reasons[0].groundings.size(), 1U);
  EXPECT_EQ(explanation.reasons[0].groundings[0].facts, (std::vector<Fact>{{0, 0, 1}, {1, 1, 2}}));
  ASSERT_EQ(explanation.needed.size(), 2U);
  EXPECT_NEAR(explanation.needed[0].without.score, 0, 1e-6);
  const std::string text = to_text(explanation, given.dataset);
  for (const char* part :
       {"aunt(anna, ben): score 3.00, rank 1\n", "asked as aunt(anna, ?) of 5 entities",
        "the data knows it (test)", "+3.00  sister(x,z1) ∧ mother(z1,y) ⇒ aunt(x,y)",
        "┌─ sister(anna, clara)", "└─ mother(clara, ben)", "without a fact of the proofs"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Explain, SaysWhatIsMissing) {
  const Family given = family(false);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  ExplainOptions options;
  options.top = 1;
  const Explanation explanation = explain(predictor, aunt_of_ben, options).value();
  EXPECT_FALSE(explanation.predicted);
  EXPECT_TRUE(explanation.reasons.empty());
  ASSERT_EQ(explanation.missing.size(), 1U);
  EXPECT_EQ(explanation.missing[0].fact, (Fact{1, 1, 2}));
  EXPECT_EQ(explanation.missing[0].there, (std::vector<Fact>{{0, 0, 1}}));
  EXPECT_NEAR(explanation.missing[0].with.score, 3, 1e-6);
  EXPECT_EQ(explanation.missing[0].with.rank, Rank{});
  const std::string text = to_text(explanation, given.dataset);
  EXPECT_NE(text.find("└─ missing: mother(clara, ben)"), std::string::npos) << text;
  const std::string picture = to_svg(explanation, given.dataset);
  EXPECT_EQ(test::collision(picture), "");
  EXPECT_NE(picture.find("dashed"), std::string::npos);
  EXPECT_NE(picture.find("clara"), std::string::npos);
  // Where there is no room for a relation's name, the pointer finds it.
  EXPECT_NE(picture.find("<title>mother</title>"), std::string::npos);
}

TEST(Explain, SaysWhereTheStrongestRuleStops) {
  Family given = family(false);
  given.dataset[Split::train] = {{0, 2, 3}};
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  ExplainOptions options;
  options.top = 1;
  const Explanation explanation = explain(predictor, aunt_of_ben, options).value();
  EXPECT_TRUE(explanation.missing.empty());
  ASSERT_TRUE(explanation.unreached);
  ASSERT_EQ(explanation.unreached->gaps.size(), 2U);
  const std::string text = to_text(explanation, given.dataset);
  for (const char* part : {"── missing: sister(anna, ?)", "── missing: mother(?, ben)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(to_json(explanation, given.dataset)["unreached"]["gaps"][1]["tail"]["name"], "ben");
}

TEST(Explain, HidesAKnownFactUnlessToldOtherwise) {
  Family given = family(false);
  const Fact known = {0, 2, 3};
  // The fact would prove itself.
  std::vector<std::vector<RelationPath>> paths(6);
  paths[2] = {RelationPath{2}};
  given.model.paths = std::make_shared<PathTable>(3, 2, paths);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  ExplainOptions options;
  EXPECT_NEAR(explain(predictor, known, options)->standing.score, 0, 1e-6);
  options.with_fact = true;
  EXPECT_NEAR(explain(predictor, known, options)->standing.score, 3, 1e-6);
}

TEST(Explain, SaysThatANegativeShareSpeaksAgainst) {
  Family given = family(true);
  given.model.parameters.of(Part::path, 2)[0] = -3;
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  const std::string text = to_text(explain(predictor, aunt_of_ben).value(), given.dataset);
  EXPECT_NE(text.find("   -3.00  sister(x,z1) ∧ mother(z1,y) ⇒ aunt(x,y)\n"
                      "          counts against it: x is a sister of some z1"),
            std::string::npos)
      << text;
}

TEST(Explain, JsonHoldsItAll) {
  const Family given = family(true);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  const Json json = to_json(explain(predictor, aunt_of_ben).value(), given.dataset);
  EXPECT_EQ(json["fact"]["text"], "aunt(anna, ben)");
  EXPECT_EQ(json["known"], "test");
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["reasons"][0]["rule"], "sister(x,z1) ∧ mother(z1,y) ⇒ aunt(x,y)");
  EXPECT_EQ(json["reasons"][0]["parts"][0]["source"], "path");
  EXPECT_EQ(json["reasons"][0]["groundings"][0]["facts"][1]["text"], "mother(clara, ben)");
  EXPECT_EQ(json["needed"].size(), 2U);
  // One pair of the body, and no training fact of the head.
  EXPECT_EQ(json["reasons"][0]["support"], 0);
  EXPECT_EQ(json["reasons"][0]["confidence"], 0);
  EXPECT_EQ(json["smallest"], 1);
  EXPECT_EQ(json["top3_share"], 1);
  EXPECT_EQ(json["top5_share"], 1);
}

TEST(Explain, ExplainsAtOnceAsAlone) {
  const Family given = family(true);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  const std::vector<Fact> facts = {aunt_of_ben, {2, 2, 0}, {1, 2, 0}, {0, 0, 1}};
  const auto told = [&](const Fact& fact) {
    Json json = to_json(explain(predictor, fact).value(), given.dataset);
    json.erase("seconds");
    return json;
  };
  std::vector<Json> together(40);
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker < 4; ++worker) {
      threads.emplace_back([&, worker] {
        for (std::size_t i = worker; i < together.size(); i += 4)
          together[i] = told(facts[(i / 4) % facts.size()]);
      });
    }
  }
  const Predictor other(given.model, KnownGraph(given.dataset), 1);
  for (std::size_t i = 0; i < together.size(); ++i) {
    Json alone = to_json(explain(other, facts[(i / 4) % facts.size()]).value(), given.dataset);
    alone.erase("seconds");
    EXPECT_EQ(together[i], alone) << i;
  }
}

TEST(Explain, RefusesWrongOptions) {
  const Family given = family(true);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  ExplainOptions options;
  options.direction = "sideways";
  EXPECT_EQ(test::sentence(explain(predictor, aunt_of_ben, options)),
            "direction is 'sideways': give one of tail|head");
}

TEST(Predict, AsksAndNames) {
  const Family given = family(true);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  const Query query = predictor.question("anna", "aunt", "?").value();
  EXPECT_EQ(query, (Query{2, 0}));
  EXPECT_EQ(predictor.question("?", "aunt", "ben").value(), (Query{5, 2}));
  PredictOptions options;
  options.top = 2;
  const Prediction shown = predictor.predict(query, options);
  ASSERT_EQ(shown.answers.size(), 2U);
  EXPECT_EQ(shown.answers[0].name, "ben");
  EXPECT_EQ(shown.answers[0].known, Split::test);
  // Of e^3 and four times e^0, less the other known answer.
  EXPECT_NEAR(shown.answers[0].standing.softmax, std::exp(3) / (std::exp(3) + 3), 1e-6);
  options.known = "hide";
  const Prediction hidden = predictor.predict(query, options);
  for (const auto& answer : hidden.answers) EXPECT_FALSE(answer.known);
  EXPECT_EQ(to_json(shown)["answers"][0]["label"], "ben");
  EXPECT_NE(to_text(shown).find("aunt(anna, ?)   5 entities"), std::string::npos);
}

TEST(Predict, SaysWhatIsWrongWithAQuestion) {
  const Family given = family(true);
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  EXPECT_EQ(test::sentence(predictor.question("?", "aunt", "?")),
            "both ends are asked for: give '?' for one of HEAD and TAIL");
  EXPECT_EQ(test::sentence(predictor.question("anna", "aunt", "ben")),
            "neither end is asked for: give '?' for one of HEAD and TAIL");
  EXPECT_EQ(test::sentence(predictor.question("ana", "aunt", "?")),
            "no entity is called 'ana' (family): did you mean anna?");
  EXPECT_EQ(test::sentence(predictor.question("anna", "ant", "?")),
            "no relation is called 'ant' (family): did you mean aunt?");
  EXPECT_EQ(test::sentence(predictor.fact("anna", "aunt", "zebediah")),
            "no entity is called 'zebediah' (family): names look like 'anna'");
}

TEST(Predict, FindsEntitiesByTheirText) {
  Family given = family(true);
  given.dataset.entity_texts = {
      {2, "benjamin, the youngest"}, {3, "carl, a name"}, {4, "carl, another"}};
  const Predictor predictor(given.model, KnownGraph(given.dataset), 1);
  EXPECT_EQ(predictor.question("?", "aunt", "benjamin").value(), (Query{5, 2}));
  EXPECT_EQ(predictor.question("?", "aunt", "carl").value(), (Query{5, 3}));  // a name comes first
  EXPECT_EQ(test::sentence(predictor.question("benjamim", "aunt", "?")),
            "no entity is called 'benjamim' (family): did you mean ben (benjamin)?");
}

}  // namespace
}  // namespace lerpp
