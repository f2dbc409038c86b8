// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <thread>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/generate.hpp>
#include <lerp/model/model.hpp>

#include "model/random_case.hpp"

namespace lerpp {
namespace {

double score_of(const Scores& scores, EntityId entity) {
  if (scores.is_dense()) return scores.values[entity];
  const auto place = std::ranges::find(scores.entities, entity);
  if (place == scores.entities.end()) return scores.rest;
  return scores.values[static_cast<std::size_t>(place - scores.entities.begin())];
}

/// The mean loss of a batch, from the scores alone.
double loss_of(const Batch& batch, const Scorer& scorer, EntityId entities) {
  std::vector<Query> queries;
  for (const EntityId start : batch.starts) queries.push_back({batch.target, start});
  std::vector<Scores> scores(queries.size());
  scorer.score(queries, scores);
  double loss = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    double sum = 0;
    for (EntityId entity = 0; entity < entities; ++entity) sum += score_of(scores[i], entity);
    loss -= std::log(std::max(1e-20, score_of(scores[i], batch.answers[i]) / sum));
  }
  return loss / static_cast<double>(queries.size());
}

RC_GTEST_PROP(Scorer, AgreesWithWhatTheEngineLearns, ()) {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 4);
  shape.width = *rc::gen::inRange<std::uint32_t>(1, 20);
  shape.depth = *rc::gen::inRange<std::uint32_t>(0, 4);
  shape.rules = *rc::gen::inRange<std::uint32_t>(1, 20);
  shape.length = *rc::gen::inRange<std::uint32_t>(1, 5);
  shape.positive = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  // From balls of a few entities to those of the whole graph, in one call.
  RandomCase given = random_case(shape, {50, *rc::gen::inRange<std::size_t>(20, 120), 5}, seed);
  given.batch.hidden.clear();
  const auto parameters = random_parameters<float>(shape, seed);
  const auto scorer = make_scorer(parameters, {}, given.graph, *rc::gen::inRange(1U, 3U));
  const double expected = learn<double>(given, seed, Path::whole).loss;
  RC_ASSERT(std::abs(loss_of(given.batch, *scorer, 50) - expected) <= 1e-4 * expected);
  scorer->score({}, {});
}

/// The mean cross-entropy of the answers over all entities but the other known answers.
double cross_entropy(const RandomCase& given, const Scorer& scorer) {
  double loss = 0;
  std::vector<Scores> scores(1);
  for (std::size_t i = 0; i < given.batch.starts.size(); ++i) {
    const Query query = {given.batch.target, given.batch.starts[i]};
    scorer.score({&query, 1}, scores);
    double sum = 0;
    for (EntityId entity = 0; entity < given.graph.entities(); ++entity) {
      if (entity == given.batch.answers[i] ||
          !given.graph.contains(query.start, query.target, entity)) {
        sum += std::exp(score_of(scores[0], entity));
      }
    }
    loss += std::log(sum) - score_of(scores[0], given.batch.answers[i]);
  }
  return loss / static_cast<double>(given.batch.starts.size());
}

RC_GTEST_PROP(Scorer, AgreesWithEvidenceThatTheEngineLearns, ()) {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 4);
  shape.width = *rc::gen::inRange<std::uint32_t>(1, 10);
  shape.depth = *rc::gen::inRange<std::uint32_t>(0, 3);
  shape.rules = *rc::gen::inRange<std::uint32_t>(1, 20);
  shape.length = *rc::gen::inRange<std::uint32_t>(1, 5);
  shape.positive = *rc::gen::arbitrary<bool>();
  shape.evidence = true;
  shape.prior = *rc::gen::arbitrary<bool>();
  shape.frontier = *rc::gen::element(0U, 3U);
  shape.paths = *rc::gen::element(0U, 5U);
  shape.constants = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  RandomCase given = random_case(shape, {50, *rc::gen::inRange<std::size_t>(20, 120), 5}, seed);
  given.batch.hidden.clear();
  const auto parameters = random_parameters<float>(shape, seed);
  const auto scorer =
      make_scorer(parameters, paths_of(given), given.graph, *rc::gen::inRange(1U, 3U));
  const double expected = learn<double>(given, seed, Path::balls).loss;
  RC_ASSERT(std::abs(cross_entropy(given, *scorer) - expected) <= 1e-4 * std::max(1.0, expected));
}

TEST(Scorer, ServesSeveralThreadsAtOnce) {
  const RandomCase given = random_case({3, 8, 2, 3, 3}, {60, 70, 5}, 1);
  const auto parameters = initial_parameters<float>(given.shape, 1);
  const auto scorer = make_scorer(parameters, {}, given.graph, 2);
  const double expected = loss_of(given.batch, *scorer, 60);
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int time = 0; time < 50; ++time)
        wrong += loss_of(given.batch, *scorer, 60) == expected ? 0 : 1;
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

/// The same facts with the relations numbered the other way round, and one more of them.
Dataset reversed(const Dataset& dataset) {
  Dataset result;
  result.name = dataset.name;
  result.entities = dataset.entities;
  const RelationId last = dataset.relations.size() - 1;
  for (RelationId id = 0; id <= last; ++id)
    result.relations.intern(dataset.relations.name(last - id));
  const RelationId unknown = result.relations.intern("likes");
  for (const Split split : all_splits) {
    for (Fact fact : dataset[split]) {
      fact.relation = last - fact.relation;
      result[split].push_back(fact);
    }
  }
  result[Split::train].push_back({0, unknown, 1});
  return result;
}

TEST(Evaluate, KnowsRelationsByTheirNames) {
  FamilyOptions options;
  options.people = 60;
  const Dataset dataset = generate_family(options).dataset;
  Model model;
  for (RelationId id = 0; id < dataset.relations.size(); ++id)
    model.relations.emplace_back(dataset.relations.name(id));
  model.parameters = initial_parameters<float>({dataset.relations.size(), 5, 2, 2, 2}, 1);
  const Result<RankingReport> own = evaluate(model, KnownGraph(dataset));
  ASSERT_TRUE(own) << to_string(own.error());
  Dataset other = reversed(dataset);
  const Result<RankingReport> found = evaluate(model, KnownGraph(other));
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_DOUBLE_EQ(found->both.realistic.mrr, own->both.realistic.mrr);
  EXPECT_DOUBLE_EQ(found->both.realistic.mean_rank, own->both.realistic.mean_rank);

  other[Split::test].push_back({0, other.relations.size() - 1, 2});
  const Result<RankingReport> asked = evaluate(model, KnownGraph(other));
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().what, "the model knows no relation 'likes'");
}

/// A random model with evidence and an embedding of a small family.
Model embedded_model(const Dataset& dataset) {
  ModelShape shape{dataset.relations.size(), 5, 2, 2, 2};
  shape.evidence = true;
  shape.embedding = 3;
  shape.entities = dataset.entities.size();
  Model model;
  for (RelationId id = 0; id < dataset.relations.size(); ++id)
    model.relations.emplace_back(dataset.relations.name(id));
  model.parameters = random_parameters<float>(shape, 1);
  // Embeddings begin too small to matter.
  for (float& value : model.parameters.entities()) value *= 100;
  for (OperatorId target = 0; target < shape.operators(); ++target) {
    for (float& value : model.parameters.of(Part::relation, target)) value *= 100;
  }
  model.entities = fingerprint(dataset.entities);
  return model;
}

Dataset small_family() {
  FamilyOptions options;
  options.people = 60;
  return generate_family(options).dataset;
}

TEST(Scorer, AddsTheMixTimesTheEmbedding) {
  const Dataset dataset = small_family();
  const Graph graph = dataset.known_graph();
  const Model model = embedded_model(dataset);
  const Model rules = without_embedding(model);
  const auto both = make_scorer(model.parameters, {}, graph, 2);
  const auto alone = make_scorer(rules.parameters, {}, graph, 2);
  // More queries than are scored together, some of them twice.
  std::vector<Query> queries;
  for (EntityId start = 0; start < 40; ++start) queries.push_back({3, start % 37});
  std::vector<Scores> sums(queries.size());
  std::vector<Scores> parts(queries.size());
  both->score(queries, sums);
  alone->score(queries, parts);
  const auto w = model.parameters.of(Part::relation, 3);
  const auto vector_of = [&](EntityId entity) {
    return model.parameters.entities().subspan(entity * std::size_t{6}, 6);
  };
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto x = vector_of(queries[i].start);
    for (EntityId entity = 0; entity < graph.entities(); ++entity) {
      const auto y = vector_of(entity);
      float score = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        score += (x[k] * w[k] - x[3 + k] * w[3 + k]) * y[k];
        score += (x[k] * w[3 + k] + x[3 + k] * w[k]) * y[3 + k];
      }
      EXPECT_NEAR(sums[i].values[entity],
                  parts[i].values[entity] + model.parameters.of(Part::mix, 3)[0] * score, 1e-4);
    }
  }
}

TEST(Evaluate, OfOtherEntitiesTheRulesRankAlone) {
  const Dataset dataset = small_family();
  const Model model = embedded_model(dataset);
  const Model rules = without_embedding(model);
  const Result<Evaluation> own = evaluate_parts(model, KnownGraph(dataset));
  ASSERT_TRUE(own) << to_string(own.error());
  ASSERT_TRUE(own->rules_only);
  EXPECT_NE(own->full.both.realistic.mrr, own->rules_only->both.realistic.mrr);
  // Relations may be numbered otherwise.
  const Result<Evaluation> turned = evaluate_parts(model, KnownGraph(reversed(dataset)));
  ASSERT_TRUE(turned);
  EXPECT_DOUBLE_EQ(turned->full.both.realistic.mrr, own->full.both.realistic.mrr);

  Dataset renamed = dataset;
  renamed.entities = {};
  for (EntityId id = 0; id < dataset.entities.size(); ++id)
    renamed.entities.intern(std::string(dataset.entities.name(id)) + "'");
  Dataset larger = dataset;
  larger.entities.intern("nobody");
  for (const Dataset* other : {&renamed, &larger}) {
    EXPECT_FALSE(knows_entities(model, *other));
    EXPECT_TRUE(knows_entities(rules, *other));
    const Result<Evaluation> found = evaluate_parts(model, KnownGraph(*other));
    const Result<RankingReport> expected = evaluate(rules, KnownGraph(*other));
    ASSERT_TRUE(found && expected);
    EXPECT_FALSE(found->rules_only);
    EXPECT_DOUBLE_EQ(found->full.both.realistic.mrr, expected->both.realistic.mrr);
  }
}

TEST(Evaluate, AnEnsembleSumsItsMembers) {
  FamilyOptions options;
  options.people = 60;
  const Dataset dataset = generate_family(options).dataset;
  const auto model_of = [&](std::uint64_t seed) {
    Model model;
    for (RelationId id = 0; id < dataset.relations.size(); ++id)
      model.relations.emplace_back(dataset.relations.name(id));
    model.parameters = initial_parameters<float>({dataset.relations.size(), 5, 2, 2, 2}, seed);
    return model;
  };
  const double alone = evaluate(model_of(1), KnownGraph(dataset))->both.realistic.mrr;
  const std::vector<Model> twice = {model_of(1), model_of(1)};
  EXPECT_NEAR(evaluate_together(twice, KnownGraph(dataset))->both.realistic.mrr, alone, 1e-9);
  const std::vector<Model> different = {model_of(1), model_of(2)};
  EXPECT_NE(evaluate_together(different, KnownGraph(dataset))->both.realistic.mrr, alone);

  const Result<RankingReport> turned = evaluate_together(twice, KnownGraph(reversed(dataset)));
  ASSERT_TRUE(turned) << to_string(turned.error());
  EXPECT_NEAR(turned->both.realistic.mrr, alone, 1e-9);

  std::vector<Model> strangers = twice;
  strangers.back().relations.front() += "'";
  const Result<RankingReport> refused = evaluate_together(strangers, KnownGraph(dataset));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the models of an ensemble know different relations");
}

TEST(Evaluate, AnEnsembleOnAnUnseenGraphIsThatOfItsRules) {
  FamilyOptions options;
  options.people = 60;
  const Dataset dataset = generate_family(options).dataset;
  options.seed = 2;
  options.people = 70;
  const Dataset unseen = generate_family(options).dataset;
  const Model model = embedded_model(dataset);
  const std::vector<Model> both = {model, model};
  const std::vector<Model> rules = {without_embedding(model), without_embedding(model)};
  const Result<RankingReport> found = evaluate_together(both, KnownGraph(unseen));
  const Result<RankingReport> expected = evaluate_together(rules, KnownGraph(unseen));
  ASSERT_TRUE(found && expected);
  EXPECT_DOUBLE_EQ(found->both.realistic.mrr, expected->both.realistic.mrr);
  EXPECT_NE(evaluate_together(both, KnownGraph(dataset))->both.realistic.mrr,
            evaluate_together(rules, KnownGraph(dataset))->both.realistic.mrr);
}

}  // namespace
}  // namespace lerpp
