// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/curate/calibration.hpp>
#include <lerp/curate/complete.hpp>
#include <lerp/curate/score.hpp>

#include "explain/learn_likelihood.hpp"
#include "explain/predictor_state.hpp"
#include "kg/family_world.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

/// Rules as evidence, learned in a moment.
Predictor learned(Dataset dataset) {
  TrainOptions options = test::embedding_options();
  options.embedding.rank = 0;
  options.train.epochs = 4;
  Trained trained = test::must_train(dataset, options);
  Predictor predictor(std::move(trained.model), KnownGraph(std::move(dataset)), 2);
  EXPECT_TRUE(predictor.learn_probabilities());
  return predictor;
}

const Predictor& family() {
  static const Predictor predictor = learned(test::family(200));
  return predictor;
}

TEST(Habits, CountAnswersLoopsAndSides) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 2}, {1, 0, 3}, {2, 1, 2}};
  const Graph graph(4, 2, {facts});
  const Habits habits(graph);
  EXPECT_EQ(habits.loops(0), 0U);
  EXPECT_EQ(habits.loops(1), 1U);
  EXPECT_EQ(habits.having(0, 1), 2U);
  EXPECT_EQ(habits.having(0, 2), 1U);
  EXPECT_EQ(habits.sides(1), (std::vector<OperatorId>{0, 2}));
  EXPECT_EQ(habits.fit(1, 0).worst, 1);
  EXPECT_LT(habits.fit(3, 1).best, habits.fit(2, 1).best);
}

TEST(Likelihood, FindsHowLikelyThingsAre) {
  // Held-out facts are a quarter of what is missing, and the feature decides.
  std::vector<Judged> judged;
  for (int i = 0; i < 4000; ++i) {
    Judged one;
    one.features[0] = 1;
    one.features[1] = i % 2;
    one.found = i % 2 == 1 ? i % 20 == 1 : i % 200 == 0;
    judged.push_back(one);
  }
  const Likelihood likelihood = Likelihood::learn(judged, 1, 0.25);
  // Of the first kind 10 % are held out: 40 % are true, and of those not held out 30 of 90.
  EXPECT_NEAR(likelihood.probability(judged[1].features, 0), 30.0 / 90, 0.02);
  EXPECT_NEAR(likelihood.probability(judged[0].features, 0), 3.0 / 99, 0.01);
  const Likelihood read = Likelihood::from_json(to_json(likelihood), 1).value();
  EXPECT_EQ(read.probability(judged[1].features, 0), likelihood.probability(judged[1].features, 0));
  EXPECT_FALSE(Likelihood::from_json(to_json(likelihood), 2));
  EXPECT_FALSE(Likelihood::from_json(Json::array(), 1));
}

TEST(Score, AreaCountsTiesHalf) {
  EXPECT_EQ(area_under_curve({{0.1, false}, {0.9, true}}), 1);
  EXPECT_EQ(area_under_curve({{0.9, false}, {0.1, true}}), 0);
  EXPECT_EQ(area_under_curve({{0.5, false}, {0.5, true}}), 0.5);
}

TEST(Score, ReadsLabelsAndNamesBadLines) {
  const test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "facts.tsv";
  const Dataset& data = family().dataset();
  const Fact& fact = data[Split::test].front();
  const std::string line = std::string(data.entities.name(fact.subject)) + "\t" +
                           std::string(data.relations.name(fact.relation)) + "\t" +
                           std::string(data.entities.name(fact.object));
  std::ofstream(path) << line << "\t1\n" << line << "\t-1\n";
  const auto read = read_labelled(path, data);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->at(0).label, true);
  EXPECT_EQ(read->at(1).label, false);
  const auto scored = score_facts(family(), *read);
  ASSERT_TRUE(scored) << to_string(scored.error());
  EXPECT_EQ(scored->accuracy->area, 0.5);
  std::ofstream(path) << line << "\n" << line << "\tmaybe\n";
  EXPECT_EQ(
      test::sentence(read_labelled(path, data)),
      "'maybe' is no label (" + path.string() + ", line 2): write 1 or 0, 1 or -1, true or false");
  std::ofstream(path) << "one column\n";
  EXPECT_EQ(test::sentence(read_labelled(path, data)),
            "the line has 1 columns (" + path.string() +
                ", line 1): separate subject, relation, object and perhaps a label by tabs");
}

TEST(Complete, GivesNoLoopAndNothingKnown) {
  CompleteOptions options;
  options.top = 200;
  const auto found = complete(family(), options);
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_FALSE(found->facts.empty());
  for (std::size_t i = 0; i < found->facts.size(); ++i) {
    const CuratedFact& one = found->facts[i];
    EXPECT_FALSE(family().split_of(one.fact));
    EXPECT_TRUE(one.fact.subject != one.fact.object || one.probability == 0);
    EXPECT_TRUE(i == 0 || one.probability <= found->facts[i - 1].probability);
  }
  const test::TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.tsv", "a.jsonl"})
    EXPECT_TRUE(write_table(*found, family().dataset(), folder / name));
  EXPECT_FALSE(write_table(*found, family().dataset(), folder / "a.xls"));
}

TEST(Complete, OneNumberWhicheverEndIsAskedFor) {
  CompleteOptions options;
  options.top = 5;
  const CuratedFacts found = complete(family(), options).value();
  const RelationId relations = family().dataset().relations.size();
  PredictOptions asked;
  asked.top = 100;
  for (const CuratedFact& one : found.facts) {
    for (const bool tail : {true, false}) {
      const Query query = tail ? Query{one.fact.relation, one.fact.subject}
                               : Query{one.fact.relation + relations, one.fact.object};
      const EntityId answer = tail ? one.fact.object : one.fact.subject;
      const Prediction prediction = family().predict(query, asked);
      const auto same = std::ranges::find(
          prediction.answers, family().dataset().entities.name(answer), &Prediction::Answer::name);
      ASSERT_NE(same, prediction.answers.end());
      EXPECT_NEAR(*same->standing.probability, one.probability, 1e-6);
    }
  }
}

TEST(Calibration, ClaimsNoLoops) {
  CalibrationOptions options;
  options.questions = 500;
  const auto found = calibration(family(), options);
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->loops_first, 0U);
  EXPECT_LE(found->ece, 0.1);
  EXPECT_EQ(to_json(*calibration(family(), options))["ece"], to_json(*found)["ece"]);
  EXPECT_NE(to_svg(*found).find("<svg"), std::string::npos);
}

/// All that is true of the people of a generated family, whether a file mentions it or not; sorted.
std::vector<Fact> truth_of(const FamilyOptions& options, const Dataset& dataset) {
  const family::World world = family::make_world(options);
  const std::vector<std::string> names = family::names(world);
  std::vector<Fact> truth;
  for (const Fact& fact : family::true_facts(world)) {
    const auto subject = dataset.entities.find(names[fact.subject]);
    const auto object = dataset.entities.find(names[fact.object]);
    if (subject && object) truth.push_back({*subject, fact.relation, *object});
  }
  std::ranges::sort(truth);
  return truth;
}

/// The most likely new answer of each of many questions, and its probability.
std::map<Fact, double> claims_of(const Predictor& predictor) {
  const Judge& judge = predictor.state().judge;
  std::vector<Query> queries = draw_questions(judge.habits(), judge.graph(), 3000, 11);
  sort_queries(queries);
  std::map<Fact, double> claims;
  const auto lists = judge.best(queries, 10, {}).value();
  for (const std::vector<CandidateFact>& candidates : lists) {
    std::optional<std::pair<double, Fact>> best;
    for (const CandidateFact& one : candidates) {
      if (predictor.split_of(one.fact).value_or(Split::test) != Split::test) continue;
      const double probability = predictor.state().probability(one);
      if (!best || probability > best->first) best.emplace(probability, one.fact);
    }
    if (best) claims[best->second] = best->first;
  }
  return claims;
}

TEST(Calibration, ClaimsNoMoreThanIsTrue) {
  FamilyOptions options;
  options.people = 400;
  const Predictor predictor = learned(generate_family(options).dataset);
  const std::vector<Fact> truth = truth_of(options, predictor.dataset());
  const std::map<Fact, double> claims = claims_of(predictor);
  for (const double from : {0.0, 0.1, 0.3}) {
    double claimed = 0;
    double found = 0;
    double variance = 0;
    double count = 0;
    for (const auto& [fact, probability] : claims) {
      if (probability < from) continue;
      claimed += probability;
      variance += probability * (1 - probability);
      found += std::ranges::binary_search(truth, fact) ? 1 : 0;
      ++count;
    }
    // Were every claim a coin that falls as it says, so many would be true but for chance: the sum
    // lies three standard deviations off in one case of 700.
    EXPECT_LE(claimed, found + 3 * std::sqrt(variance)) << "of claims from " << from;
    EXPECT_GT(count, 20) << "of claims from " << from;
  }
}

TEST(Doubt, FindsPlantedFacts) {
  Dataset dataset = test::family(200);
  std::vector<Fact>& train = dataset[Split::train];
  std::vector<Fact> planted;
  std::mt19937 random(3);
  const Graph full = dataset.full_graph();
  while (planted.size() < 40) {
    const auto draw = [&](std::uint32_t count) {
      return static_cast<std::uint32_t>(random() % count);
    };
    const Fact wrong = {draw(dataset.entities.size()), draw(dataset.relations.size()),
                        draw(dataset.entities.size())};
    if (!full.contains(wrong)) planted.push_back(wrong);
  }
  train.insert(train.end(), planted.begin(), planted.end());
  std::ranges::sort(planted);
  const Predictor predictor = learned(std::move(dataset));
  DoubtOptions options;
  options.top = 1'000'000;
  const auto found = doubt(predictor, options);
  ASSERT_TRUE(found) << to_string(found.error());
  std::vector<std::pair<double, bool>> labelled;
  for (const CuratedFact& one : found->facts)
    labelled.emplace_back(-one.probability, std::ranges::binary_search(planted, one.fact));
  EXPECT_GE(area_under_curve(labelled), 0.95);
}

TEST(Predict, AnswersAtOnceAsAlone) {
  const Dataset& data = family().dataset();
  std::vector<Query> queries;
  for (std::size_t i = 0; i < 40; ++i) {
    const Fact& fact = data[Split::test][i % data[Split::test].size()];
    queries.push_back({fact.relation, fact.subject});
  }
  const std::vector<Prediction> together = family().predict_all(queries).value();
  std::vector<Prediction> alone(queries.size());
  std::vector<std::jthread> threads;
  for (std::size_t worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&, worker] {
      for (std::size_t i = worker; i < queries.size(); i += 4)
        alone[i] = family().predict(queries[i]);
    });
  }
  threads.clear();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    ASSERT_EQ(together[i].answers.size(), alone[i].answers.size());
    for (std::size_t k = 0; k < alone[i].answers.size(); ++k) {
      EXPECT_EQ(together[i].answers[k].name, alone[i].answers[k].name);
      EXPECT_EQ(together[i].answers[k].standing.probability,
                alone[i].answers[k].standing.probability);
    }
  }
}

}  // namespace
}  // namespace lerpp
