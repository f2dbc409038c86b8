// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <numeric>

#include <lerp/model/model.hpp>

#include "model/golden.hpp"

namespace lerpp {
namespace {

/// The facts that the batch could see.
std::vector<Fact> visible(const Json& file) {
  std::vector<Fact> facts = facts_of(file["edges"]);
  const std::vector<Fact> masked = facts_of(file["masked"]);
  std::erase_if(facts,
                [&](const Fact& fact) { return std::ranges::find(masked, fact) != masked.end(); });
  return facts;
}

class GoldenScores : public testing::TestWithParam<int> {};

/// Scores of a case on a graph of at least the golden entities: others, which stand alone, change
/// nothing but make each query's ball a small part of the graph.
void expect_scores(const Json& file, const Json& query, EntityId entities, bool dense) {
  const Case given = read_case(file, query);
  const Graph graph(entities, given.shape.relations, {visible(file)});
  const auto parameters = read_parameters<float>(given.shape, file["parameters"]);
  const auto scorer = make_scorer(parameters, {}, graph, 2);
  std::vector<Query> queries;
  for (const EntityId start : given.batch.starts) queries.push_back({given.batch.target, start});
  std::vector<Scores> scores(queries.size());
  scores[0].add(0, 99);  // what an earlier call left
  for (int time = 0; time < 2; ++time) {
    scorer->score(queries, scores);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::map<EntityId, double> found;
      EXPECT_TRUE(dense || !scores[i].is_dense());
      for (std::size_t place = 0; place < scores[i].values.size(); ++place) {
        const EntityId entity =
            scores[i].is_dense() ? static_cast<EntityId>(place) : scores[i].entities[place];
        EXPECT_TRUE(found.emplace(entity, scores[i].values[place]).second);
      }
      for (EntityId entity = 0; entity < entities; ++entity) {
        const double expected =
            entity < given.graph.entities() ? query["score"][i][entity].get<double>() : 0;
        const double own = found.contains(entity) ? found[entity] : scores[i].rest;
        EXPECT_NEAR(own, expected, 1e-4 * expected + 1e-9);
      }
    }
  }
}

TEST_P(GoldenScores, DenseAndSparse) {
  const Json file = golden(GetParam());
  for (const Json& query : file["cases"]) {
    expect_scores(file, query, file["entities"], true);
    expect_scores(file, query, 60, false);
  }
}

TEST_P(GoldenScores, ConstraintsAndHops) {
  const Json file = golden(GetParam());
  for (const Json& query : file["cases"]) {
    const Case given = read_case(file, query);
    const auto parameters = read_parameters<double>(given.shape, file["parameters"]);
    const EntityId entities = given.graph.entities();
    const Graph graph(entities, given.shape.relations, {visible(file)});
    std::vector<std::uint32_t> every(entities);
    std::iota(every.begin(), every.end(), 0U);

    Team team(exactly(2));
    FunctionWeights<double> function_weights(given.shape);
    std::optional<Functions<double>> functions;
    if (given.shape.depth > 0) {
      function_weights.take(parameters);
      functions.emplace(graph, given.shape);
      functions->begin(function_weights, every, nullptr, false);
      functions->forward(team);
    }
    RuleWeights<double> weights(given.shape);
    weights.prepare(parameters, given.batch.target, given.shape.length);
    std::vector<double> constraints(entities * weights.stride());
    weights.constraints(entities, functions ? functions->values() : nullptr,
                        functions ? functions->width() : 0, constraints.data());
    for (std::uint32_t rule = 0; rule < given.shape.rules; ++rule) {
      for (std::uint32_t k = 0; k <= given.shape.length; ++k) {
        for (EntityId entity = 0; entity < entities; ++entity) {
          EXPECT_NEAR(constraints[entity * weights.stride() + k * weights.width() + rule],
                      query["context"][rule][k][entity].get<double>(), 1e-9);
        }
      }
    }

    BallFinder finder(graph);
    BallRules<double> rules;
    for (std::size_t i = 0; i < given.batch.starts.size(); ++i) {
      Ball ball;
      ASSERT_TRUE(
          finder.find(given.batch.starts[i], {given.shape.length, entities}, nullptr, ball));
      const std::uint32_t start = 0;
      rules.forward(weights, ball, {&start, 1}, {constraints.data(), ball.nodes.data()});
      for (std::uint32_t k = 0; k <= given.shape.length; ++k) {
        for (std::size_t node = 0; node < ball.nodes.size(); ++node) {
          for (std::uint32_t rule = 0; rule < given.shape.rules; ++rule) {
            const double own =
                node < ball.within[k] ? rules.hop(k)[node * weights.width() + rule] : 0;
            EXPECT_NEAR(own, query["hops"][k][i][rule][ball.nodes[node]].get<double>(), 1e-9);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Depths, GoldenScores, testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace lerpp
