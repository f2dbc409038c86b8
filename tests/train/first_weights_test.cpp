// SPDX-License-Identifier: Apache-2.0
#include "train/first_weights.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <lerp/base/team.hpp>

#include "model/find_scopes.hpp"

namespace lerpp {
namespace {

constexpr RelationId likes = 0;
constexpr RelationId knows = 1;
constexpr EntityId entities = 40;

/// Two facts of `likes` that mirror each other; `knows` has one answer for everybody.
std::vector<Fact> facts() {
  std::vector<Fact> all = {{0, likes, 1}, {1, likes, 0}};
  for (EntityId entity = 2; entity < entities; ++entity) all.push_back({entity, knows, 2});
  return all;
}

struct Begun {
  PathTable paths;
  Parameters<float> parameters;

  /// The weight of a path of one hop.
  float path(OperatorId target, OperatorId op) const {
    const std::span<const RelationPath> own = paths.of(target);
    const auto found = std::ranges::find(own, RelationPath{op});
    if (found == own.end()) return 0;
    return parameters.of(Part::path, target)[2 * static_cast<std::size_t>(found - own.begin())];
  }
};

Begun begun(const Graph& graph, bool evidence = true) {
  Team team(1);
  ModelShape shape;
  shape.relations = graph.relations();
  shape.width = 0;
  shape.depth = 0;
  shape.rules = 1;
  shape.evidence = evidence;
  if (evidence) {
    shape.prior = 1;
    shape.paths = 100;
  }
  Begun result;
  result.paths = mine_paths(graph, {.threads = 1}).value();
  shape.scopes = find_scopes(graph, evidence ? &result.paths : nullptr, shape.length, team);
  result.parameters = initial_parameters<float>(shape, 1);
  begin_small_targets(graph, evidence ? &result.paths : nullptr, result.parameters);
  return result;
}

TEST(FirstWeights, AMirroredPairSpeaksForSymmetry) {
  const std::vector<Fact> all = facts();
  const Graph graph(entities, 2, {all});
  const Begun given = begun(graph);
  EXPECT_GT(given.path(likes, graph.inverse(likes)), 2);
  EXPECT_GT(given.path(graph.inverse(likes), likes), 2);
}

TEST(FirstWeights, AnswersThatCameBeforeComeAgain) {
  const std::vector<Fact> all = facts();
  const Graph graph(entities, 2, {all});
  const Begun given = begun(graph);
  // There are as many operators as targets here, so that an operator is its own slot.
  const std::span<const float> prior = given.parameters.of(Part::prior, likes);
  const float once = prior[2 * graph.inverse(likes)] +
                     prior[2 * graph.inverse(likes) + 1] * static_cast<float>(std::log(2.0));
  EXPECT_GT(once, 0);
}

TEST(FirstWeights, LargeTargetsAndSumsOfRulesStayAsTheyAre) {
  const std::vector<Fact> all = facts();
  const Graph graph(entities, 2, {all});
  const Begun given = begun(graph);
  for (const Part part : {Part::prior, Part::path}) {
    for (const float weight : given.parameters.of(part, knows)) EXPECT_EQ(weight, 0);
  }
  const Begun summed = begun(graph, false);
  EXPECT_TRUE(std::ranges::equal(summed.parameters.values(),
                                 initial_parameters<float>(summed.parameters.shape(), 1).values()));
}

TEST(FirstWeights, OtherTargetsSayHowOftenAnAnswerComesBack) {
  const std::vector<Fact> all = facts();
  // knows(x, ?) always has the answer it had, knows(?, y) never.
  const double both = chance_of_known_answer(Graph(entities, 2, {all}), 3);
  EXPECT_NEAR(both, (0.01 + 1 + 0) / 2.1, 1e-9);
  // Nobody to ask.
  const std::vector<Fact> one = {{0, likes, 1}};
  EXPECT_NEAR(chance_of_known_answer(Graph(entities, 2, {one}), 1), 0.1, 1e-9);
}

}  // namespace
}  // namespace lerpp
