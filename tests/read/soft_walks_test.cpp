#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/random_case.hpp"
#include "read/model_watcher.hpp"

namespace lerpp {
namespace {

/// Every shape that a preset has, small.
ModelShape any_shape() {
  ModelShape shape;
  shape.relations = 3;
  shape.width = 4;
  shape.depth = *rc::gen::inRange(0U, 3U);
  shape.rules = *rc::gen::inRange(1U, 4U);
  shape.length = *rc::gen::inRange(1U, 4U);
  shape.evidence = *rc::gen::arbitrary<bool>();
  shape.positive = *rc::gen::arbitrary<bool>();
  if (shape.depth == 0) shape.width = 0;
  if (!shape.evidence) return shape;
  shape.prior = *rc::gen::arbitrary<bool>();
  shape.paths = *rc::gen::inRange(0U, 8U);
  shape.constants = *rc::gen::arbitrary<bool>();
  if (shape.depth > 0) shape.pairs = *rc::gen::inRange(0U, 4U);
  return shape;
}

std::vector<float> scores(const Model& model, const Graph& graph, OperatorId target,
                          EntityId start) {
  const Query query = {target, start};
  Scores found;
  make_scorer(model.parameters, model.paths, graph, 1)->score({&query, 1}, {&found, 1});
  std::vector<float> all(graph.entities(), found.rest);
  if (found.is_dense()) all.assign(found.values.begin(), found.values.end());
  for (std::size_t i = 0; i < found.entities.size(); ++i) all[found.entities[i]] = found.values[i];
  return all;
}

RC_GTEST_PROP(ModelWatcher, BooksAllThatTheScoreIsMadeOf, ()) {
  const ModelShape shape = any_shape();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const RandomCase given = random_case(shape, {12, 30, 1}, seed);
  std::vector<Fact> facts;
  for (EntityId subject = 0; subject < given.graph.entities(); ++subject) {
    for (const Edge& edge : given.graph.edges(subject)) {
      if (edge.op < shape.relations) facts.push_back({subject, edge.op, edge.target});
    }
  }
  const Fact fact = facts[seed % facts.size()];
  const Graph& graph = given.graph;
  const Model model = {{"a", "b", "c"}, random_parameters<float>(shape, seed), paths_of(given)};
  Team team(1);
  const Background background(shape, graph, model.paths, team);
  const ConstraintReader reader(model, graph, 1);
  ModelWatcher watcher(model, graph, background, reader);
  const bool tail = seed % 2 == 0;
  const OperatorId target = tail ? fact.relation : fact.relation + shape.relations;
  const Question question = {tail ? fact.subject : fact.object, tail ? fact.object : fact.subject};
  Ledger ledger;
  Random random(seed);
  watcher.watch(target, {&question, 1}, random, ledger);
  RC_ASSERT(ledger.questions() == 1U);
  double told = 0;
  for (const auto& [body, number] : ledger.numbers()) told += ledger.account(number).told;

  // The same from scores on a graph that does not hold the fact.
  const std::vector<Opinion> opinions =
      Teacher(model, graph, background).ask(target, {&question, 1}, liked_answers);
  std::erase(facts, fact);
  const Graph without(graph.entities(), graph.relations(), {facts});
  const std::vector<float> expected = scores(model, without, target, question.start);
  std::vector<std::pair<double, EntityId>> liked;
  for (std::size_t i = 0; i < opinions[0].entities.size(); ++i)
    liked.emplace_back(double{opinions[0].shares[i]}, opinions[0].entities[i]);
  double margin = 0;
  double most = 0;
  for (const auto& [entity, role] : watched(question.answer, liked)) {
    margin += role * double{expected[entity]};
    most = std::max(most, double{expected[entity]});
  }
  const double scale = shape.evidence || most <= 0 ? 1 : most;
  RC_ASSERT(std::abs(told - margin / scale) < 1e-3 * (1 + std::abs(margin / scale)));
}

TEST(Watched, IsTheRightAnswerAndWrongOnesFromHardToEasy) {
  std::vector<std::pair<double, EntityId>> liked;
  for (EntityId entity = 0; entity < 10; ++entity) liked.emplace_back(100 - entity, entity);
  std::vector<EntityId> entities;
  double sum = 0;
  for (const auto& [entity, role] : watched(1, liked)) {
    entities.push_back(entity);
    sum += role;
  }
  EXPECT_EQ(entities, (std::vector<EntityId>{1, 0, 2, 4, 8}));
  EXPECT_NEAR(sum, 0, 1e-12);
  EXPECT_EQ(watched(3, {}).size(), 1U);
}

TEST(SoftWalks, DrawsWalksThatAreThere) {
  ModelShape shape;
  shape.relations = 3;
  shape.width = 0;
  shape.depth = 0;
  shape.rules = 3;
  shape.length = 3;
  const RandomCase given = random_case(shape, {15, 40, 1}, 3);
  const Model model = {{"a", "b", "c"}, random_parameters<float>(shape, 3)};
  const Mask mask(given.graph);
  BallFinder finder(given.graph);
  Ball ball;
  finder.find(0, {shape.length, given.graph.entities(), 0}, &mask, ball);
  SoftWalks walks(model, given.graph, 0, 0);
  walks.follow(ball);
  Random random(5);
  std::vector<SoftWalks::Hop> walk;
  std::size_t drawn = 0;
  for (std::uint32_t node = 0; node < ball.nodes.size(); ++node) {
    for (std::size_t rule = 0; rule < shape.rules; ++rule) {
      if (!walks.reaches(rule, shape.length, node)) continue;
      ASSERT_TRUE(walks.draw(rule, shape.length, node, mask, random, walk));
      ASSERT_EQ(walk.size(), shape.length);
      EntityId at = 0;
      for (const SoftWalks::Hop& hop : walk) {
        const EntityId next = walks.entity(hop.node);
        EXPECT_TRUE(hop.op == walks.identity() ? at == next
                                               : given.graph.contains(at, hop.op, next));
        at = next;
      }
      EXPECT_EQ(at, ball.nodes[node]);
      ++drawn;
    }
  }
  EXPECT_GT(drawn, 20U);
}

}  // namespace
}  // namespace lerpp
