// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "embed/transe_loss.hpp"
#include "model/golden.hpp"

namespace lerpp {
namespace {

template <class Real>
void read_block(const Json& json, std::span<Real> block) {
  std::vector<double> values;
  flatten(json, values);
  ASSERT_EQ(values.size(), block.size());
  std::transform(values.begin(), values.end(), block.begin(),
                 [](double value) { return static_cast<Real>(value); });
}

template <class Real>
TransEParameters<Real> read_transe(const TransEShape& shape, const Json& tensors) {
  TransEParameters<Real> parameters(shape);
  for (std::size_t index = 0; index < parameters.functions.shared_tensors(); ++index) {
    read_block(tensors[parameters.functions.tensors()[index].name],
               parameters.functions.tensor(index));
  }
  read_block<Real>(tensors["entity"], parameters.entity);
  read_block<Real>(tensors["relation"], parameters.relation);
  read_block<Real>(tensors["rotation"], parameters.rotation);
  return parameters;
}

struct TransECase {
  TransEShape shape;
  Graph graph;
  std::vector<EmbeddingQuery> queries;
};

template <class Real>
struct Answer {
  TransELosses losses;
  TransEParameters<Real> gradient;
};

template <class Real>
Answer<Real> learn(const TransECase& given, const TransEParameters<Real>& parameters,
                   const typename TransELoss<Real>::Settings& settings, unsigned threads = 1,
                   std::span<const EntityId> candidates = {}) {
  Team team(exactly(threads));
  TransELoss<Real> loss(given.graph, given.shape, settings, team);
  Answer<Real> answer{{}, TransEParameters<Real>(given.shape)};
  answer.losses = loss.learn(parameters, given.queries, candidates, nullptr, answer.gradient);
  return answer;
}

/// Compares block by block, with the size of the block's largest entry as the measure.
template <class Real>
void expect_near(const TransEParameters<Real>& actual, const TransEParameters<double>& expected,
                 double tolerance, bool relative) {
  for (std::size_t block = 0; block < 4; ++block) {
    const auto left = actual.blocks()[block];
    const auto right = expected.blocks()[block];
    ASSERT_EQ(left.size(), right.size());
    double scale = relative ? 1e-9 : 1;
    if (relative) {
      for (const double value : right) scale = std::max(scale, std::abs(value));
    }
    for (std::size_t i = 0; i < left.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(left[i]), right[i], tolerance * scale)
          << "block " << block << ", place " << i;
    }
  }
}

class GoldenTransE : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  static TransECase read(const Json& file) {
    TransECase given{
        {file["entities"], file["relations"], file["dimension"], file["width"], file["depth"]},
        Graph(file["entities"], file["relations"], {facts_of(file["edges"])}),
        {}};
    for (const Fact& fact : facts_of(file["batch"]))
      given.queries.push_back({fact.relation, fact.subject, fact.object});
    return given;
  }
};

TEST_P(GoldenTransE, ValuesAndGradientsAgree) {
  const auto& [name, threads] = GetParam();
  const Json file = golden(name);
  const TransECase given = read(file);
  const auto parameters = read_transe<double>(given.shape, file["parameters"]);
  const auto answer =
      learn<double>(given, parameters, {file["margin"], file["eta"], file["gamma"]}, threads);
  EXPECT_NEAR(answer.losses.margin, file["margin_loss"].get<double>(), 1e-9);
  EXPECT_NEAR(answer.losses.ratio, file["ratio"].get<double>(), 1e-9);
  EXPECT_NEAR(answer.losses.entropy, file["entropy"].get<double>(), 1e-9);
  EXPECT_NEAR(answer.losses.loss, file["loss"].get<double>(), 1e-9);
  expect_near(answer.gradient, read_transe<double>(given.shape, file["gradient"]), 1e-8, false);

  Team team(exactly(threads));
  TransETable<double> table(given.graph, given.shape, team);
  table.forward(parameters, nullptr);
  for (std::size_t i = 0; i < given.shape.width; ++i) {
    for (EntityId entity = 0; entity < given.shape.entities; ++entity) {
      EXPECT_NEAR(table.functions(entity)[i], file["representation"][i][entity].get<double>(),
                  1e-9);
    }
  }
}

TEST_P(GoldenTransE, SinglePrecisionIsClose) {
  const auto& [name, threads] = GetParam();
  const Json file = golden(name);
  const TransECase given = read(file);
  const auto answer = learn<float>(given, read_transe<float>(given.shape, file["parameters"]),
                                   {file["margin"], file["eta"], file["gamma"]}, threads);
  EXPECT_NEAR(answer.losses.loss, file["loss"].get<double>(), 1e-4);
  expect_near(answer.gradient, read_transe<double>(given.shape, file["gradient"]), 1e-4, true);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenTransE,
                         testing::Combine(testing::Values("transe-lerp", "transe-lerp-entropy"),
                                          testing::Values(1U, 3U)));

/// Queries about facts of a random graph; some relations may have none.
TransECase random_case(const TransEShape& shape, std::size_t facts, std::uint64_t seed) {
  Random random(seed);
  const auto entity = [&] { return static_cast<EntityId>(random.below(shape.entities)); };
  std::vector<Fact> list;
  TransECase given{shape, {}, {}};
  for (std::size_t i = 0; i < facts; ++i) {
    list.push_back({entity(), static_cast<RelationId>(random.below(shape.relations)), entity()});
    const bool tail = random.chance(0.5);
    const Fact& fact = list.back();
    given.queries.push_back(
        tail ? EmbeddingQuery{fact.relation, fact.subject, fact.object}
             : EmbeddingQuery{shape.relations + fact.relation, fact.object, fact.subject});
  }
  given.graph = Graph(shape.entities, shape.relations, {list});
  return given;
}

TransEShape random_shape() {
  const auto depth = *rc::gen::inRange<std::uint32_t>(0, 4);
  return {*rc::gen::inRange<EntityId>(1, 40), *rc::gen::inRange<RelationId>(1, 4),
          *rc::gen::inRange<std::uint32_t>(1, 24),
          depth == 0 ? 0 : *rc::gen::inRange<std::uint32_t>(1, 20), depth};
}

/// The loss by the formula, one distance at a time.
double margin_by_hand(const TransECase& given, const TransEParameters<double>& parameters,
                      double margin) {
  Team team(1);
  TransETable<double> table(given.graph, given.shape, team);
  table.forward(parameters, nullptr);
  const std::size_t dimension = given.shape.dimension;
  double sum = 0;
  for (const EmbeddingQuery& query : given.queries) {
    const auto distance = [&](EntityId entity) {
      double total = 0;
      for (std::size_t k = 0; k < dimension; ++k) {
        total +=
            std::abs(table.unit(query.start)[k] +
                     parameters.relation[query.target * dimension + k] - table.unit(entity)[k]);
      }
      return total;
    };
    for (EntityId other = 0; other < given.shape.entities; ++other) {
      if (other != query.answer)
        sum += std::max(0.0, distance(query.answer) - distance(other) + margin);
    }
  }
  return sum / static_cast<double>(given.queries.size());
}

RC_GTEST_PROP(TransELoss, IsTheFormulaOnAnyGraph, ()) {
  const TransEShape shape = random_shape();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const TransECase given = random_case(shape, *rc::gen::inRange<std::size_t>(1, 40), seed);
  const auto parameters = initial_transe<double>(shape, seed);
  const auto answer = learn<double>(given, parameters, {2, 10, 1}, 2);
  RC_ASSERT(std::abs(answer.losses.margin - margin_by_hand(given, parameters, 2)) < 1e-9);
}

RC_GTEST_PROP(TransELoss, GradientIsThatOfFiniteDifferences, ()) {
  const TransEShape shape = random_shape();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const TransECase given = random_case(shape, *rc::gen::inRange<std::size_t>(1, 12), seed);
  const auto parameters = initial_transe<double>(shape, seed);
  const auto direction = initial_transe<double>(shape, seed + 1);
  const TransELoss<double>::Settings settings{1, 10, 0.5};
  const auto answer = learn<double>(given, parameters, settings);
  double slope = 0;
  for (std::size_t block = 0; block < 4; ++block) {
    const auto d = answer.gradient.blocks()[block];
    slope = std::inner_product(d.begin(), d.end(), direction.blocks()[block].begin(), slope);
  }
  // Hinges and signs have corners: a smaller step stays on one side of most.
  double nearest = 1e300;
  for (const double step : {1e-5, 1e-6, 1e-7}) {
    const auto moved = [&](double by) {
      auto there = parameters;
      for (std::size_t block = 0; block < 4; ++block) {
        const auto x = there.blocks()[block];
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * direction.blocks()[block][i];
      }
      return learn<double>(given, there, settings).losses.loss;
    };
    nearest = std::min(nearest, std::abs((moved(step) - moved(-step)) / (2 * step) - slope));
  }
  RC_ASSERT(nearest < 1e-5 * (1 + std::abs(slope)));
}

TEST(TransELoss, DrawnCandidatesAreRightOnAverage) {
  // Every subset of half of the entities once: its mean is the whole.
  const TransEShape shape{6, 2, 5, 3, 2};
  const TransECase given = random_case(shape, 9, 3);
  const auto parameters = initial_transe<double>(shape, 4);
  const TransELoss<double>::Settings settings{1, 0, 0};
  const auto whole = learn<double>(given, parameters, settings);
  TransEParameters<double> mean(shape);
  double loss = 0;
  constexpr double subsets = 20;
  for (unsigned bits = 0; bits < 64; ++bits) {
    std::vector<EntityId> some;
    for (EntityId entity = 0; entity < 6; ++entity) {
      if ((bits >> entity & 1U) != 0) some.push_back(entity);
    }
    if (some.size() != 3) continue;
    const auto part = learn<double>(given, parameters, settings, 1, some);
    loss += part.losses.margin / subsets;
    for (std::size_t block = 0; block < 4; ++block) {
      for (std::size_t i = 0; i < mean.blocks()[block].size(); ++i)
        mean.blocks()[block][i] += part.gradient.blocks()[block][i] / subsets;
    }
  }
  EXPECT_NEAR(loss, whole.losses.margin, 1e-12);
  expect_near(mean, whole.gradient, 1e-12, false);
}

TEST(TransELoss, TheOrderOfCandidatesDoesNotMatter) {
  const TransEShape shape{37, 3, 20, 8, 2};
  const TransECase given = random_case(shape, 60, 5);
  const auto parameters = initial_transe<double>(shape, 6);
  std::vector<EntityId> everyone(shape.entities);
  std::iota(everyone.rbegin(), everyone.rend(), EntityId{0});
  const auto whole = learn<double>(given, parameters, {1, 10, 1});
  const auto listed = learn<double>(given, parameters, {1, 10, 1}, 3, everyone);
  EXPECT_NEAR(whole.losses.loss, listed.losses.loss, 1e-9);
  expect_near(listed.gradient, whole.gradient, 1e-9, false);
}

TEST(TransELoss, HiddenFactsDoNotCountInTheFunctions) {
  const TransEShape shape{5, 1, 4, 3, 2};
  const std::vector<Fact> all = {{0, 0, 1}, {1, 0, 2}, {3, 0, 4}};
  const TransECase whole{shape, Graph(5, 1, {all}), {{0, 0, 1}}};
  const TransECase less{shape, Graph(5, 1, {std::span(all).subspan(1)}), {{0, 0, 1}}};
  const auto parameters = initial_transe<double>(shape, 7);
  Team team(1);
  TransELoss<double> loss(whole.graph, shape, {1, 10, 1}, team);
  Mask mask(whole.graph);
  mask.hide(std::span(all).first(1));
  TransEParameters<double> gradient(shape);
  const TransELosses masked = loss.learn(parameters, whole.queries, {}, &mask, gradient);
  const auto expected = learn<double>(less, parameters, {1, 10, 1});
  EXPECT_NEAR(masked.loss, expected.losses.loss, 1e-12);
  expect_near(gradient, expected.gradient, 1e-12, false);
}

TEST(TransELoss, OneEntityHasNoWrongAnswer) {
  const TransEShape shape{1, 1, 3, 2, 2};
  const TransECase given{shape, Graph(1, 1, {std::vector<Fact>{{0, 0, 0}}}), {{0, 0, 0}}};
  const auto answer = learn<double>(given, initial_transe<double>(shape, 1), {1, 0, 0});
  EXPECT_EQ(answer.losses.margin, 0);
  for (const auto block : answer.gradient.blocks()) {
    for (const double value : block) EXPECT_EQ(value, 0);
  }
}

TEST(TransELoss, ZeroVectorsHaveFiniteGradients) {
  // Nothing to normalise, nothing to divide by, and every candidate at the same place.
  const TransEShape shape{9, 2, 4, 3, 2};
  TransECase given = random_case(shape, 5, 8);
  const TransEParameters<double> zero(shape);
  const auto answer = learn<double>(given, zero, {1, 10, 1});
  EXPECT_NEAR(answer.losses.margin, 8, 1e-12);
  EXPECT_EQ(answer.losses.ratio, 0);
  for (const auto block : answer.gradient.blocks()) {
    for (const double value : block) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(TransELoss, GraphWithoutFactsLeavesTheFunctionsAlone) {
  // A relation without facts, and entities that nothing is known of: chains are 0 everywhere.
  const TransEShape shape{4, 2, 3, 2, 1};
  const TransECase given{shape, Graph(4, 2, {}), {{1, 0, 3}}};
  const auto answer = learn<double>(given, initial_transe<double>(shape, 2), {1, 10, 0});
  EXPECT_EQ(answer.losses.ratio, 0);
  EXPECT_GT(answer.losses.margin, 0);
  for (const double value : answer.gradient.functions.values()) EXPECT_EQ(value, 0);
}

TEST(TransEScorer, ScoresAreNegativeDistances) {
  const TransEShape shape{21, 2, 20, 4, 2};
  const TransECase given = random_case(shape, 30, 9);
  const auto parameters = initial_transe<float>(shape, 3);
  const std::unique_ptr<Scorer> scorer = make_scorer(parameters, given.graph, 1);
  Team team(1);
  TransETable<float> table(given.graph, shape, team);
  table.forward(parameters, nullptr);
  const std::vector<Query> queries = {{3, 20}, {3, 0}};
  std::vector<Scores> scores(2);
  scorer->score(queries, scores);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    ASSERT_TRUE(scores[i].is_dense());
    for (EntityId entity = 0; entity < shape.entities; ++entity) {
      float distance = 0;
      for (std::size_t k = 0; k < shape.dimension; ++k) {
        distance += std::abs(table.unit(queries[i].start)[k] +
                             parameters.relation[queries[i].target * shape.dimension + k] -
                             table.unit(entity)[k]);
      }
      EXPECT_NEAR(scores[i].values[entity], -distance, 1e-5);
    }
  }
}

}  // namespace
}  // namespace lerpp
