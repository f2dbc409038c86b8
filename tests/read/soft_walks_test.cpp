// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

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
  shape.prior = *rc::gen::inRange(0U, 2U);
  shape.paths = *rc::gen::inRange(0U, 8U);
  shape.constants = *rc::gen::inRange(0U, 2U);
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
  ModelWatcher watcher(model, background, reader);
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
      Teacher(model, background).ask(target, {&question, 1}, liked_answers);
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

/// One question to a model without terms, and what its rules did.
struct Asked {
  Asked(const ModelShape& shape, const Graph& graph, const Parameters<float>& parameters,
        std::span<const Fact> hidden)
      : background(shape, graph, nullptr, team), functions(shape) {
    functions.take(parameters);
    pass.begin(parameters, 0, {&start, 1}, hidden, {shape.length, shape.frontier, Path::balls});
    pass.run(asker, {&functions});
    pass.follow(asker, 0);
    trace.open(0);
  }

  EntityId start = 0;
  Team team{1};
  Background background;
  FunctionWeights<float> functions;
  Pass<float> pass{background};
  Asker<float> asker{pass};
  RuleTrace trace{pass, asker};
};

ModelShape shape_of_soft_rules() {
  ModelShape shape;
  shape.relations = 3;
  shape.width = 4;
  shape.depth = 2;
  shape.rules = 3;
  shape.length = 3;
  return shape;
}

TEST(SoftWalks, DrawsWalksThatAreThere) {
  for (const std::uint32_t frontier : {0U, 4U}) {
    ModelShape shape = shape_of_soft_rules();
    shape.frontier = frontier;
    const RandomCase given = random_case(shape, {15, 40, 1}, 3);
    const Edge& first = given.graph.edges(0).front();
    const Fact hidden = first.op < shape.relations
                            ? Fact{0, first.op, first.target}
                            : Fact{first.target, first.op - shape.relations, 0};
    const Asked asked(shape, given.graph, random_parameters<float>(shape, 3), {&hidden, 1});
    const RuleTrace& trace = asked.trace;
    Random random(5);
    std::vector<SoftHop> walk;
    std::size_t drawn = 0;
    for (std::uint32_t node = 0; node < trace.ball().nodes.size(); ++node) {
      for (std::size_t rule = 0; rule < shape.rules; ++rule) {
        if (trace.reached(rule, shape.length, node) <= 0) continue;
        ASSERT_TRUE(draw_walk(trace, rule, shape.length, node, random, walk));
        ASSERT_EQ(walk.size(), shape.length);
        EntityId at = asked.start;
        for (const SoftHop& hop : walk) {
          const EntityId next = trace.entity(hop.node);
          const bool tail = hop.op < shape.relations;
          const Fact fact = {tail ? at : next, hop.op % shape.relations, tail ? next : at};
          EXPECT_TRUE(hop.op == trace.identity() ? at == next
                                                 : given.graph.contains(fact) && fact != hidden);
          at = next;
        }
        EXPECT_EQ(at, trace.entity(node));
        ++drawn;
      }
    }
    EXPECT_GT(drawn, frontier == 0 ? 20U : 5U);
  }
}

TEST(SoftWalks, DrawsThemAsTheyCarryWeight) {
  const ModelShape shape = shape_of_soft_rules();
  const RandomCase given = random_case(shape, {6, 12, 1}, 4);
  const Asked asked(shape, given.graph, random_parameters<float>(shape, 4), {});
  const RuleTrace& trace = asked.trace;
  const auto node = static_cast<std::uint32_t>(trace.ball().nodes.size() - 1);
  constexpr std::size_t rule = 1;
  ASSERT_GT(trace.reached(rule, shape.length, node), 0);
  Random random(6);
  std::map<std::vector<std::pair<OperatorId, std::uint32_t>>, int> counts;
  constexpr int draws = 20'000;
  std::vector<SoftHop> walk;
  for (int i = 0; i < draws; ++i) {
    ASSERT_TRUE(draw_walk(trace, rule, shape.length, node, random, walk));
    std::vector<std::pair<OperatorId, std::uint32_t>> hops;
    for (const SoftHop& hop : walk) hops.emplace_back(hop.op, hop.node);
    ++counts[hops];
  }
  ASSERT_GT(counts.size(), 2U);
  for (const auto& [hops, count] : counts) {
    double weight = trace.constraint(rule, 0, 0);
    for (std::uint32_t k = 1; k <= shape.length; ++k) {
      weight *= trace.hop_weight(rule, k, hops[k - 1].first) *
                trace.constraint(rule, k, hops[k - 1].second);
    }
    const double share = weight / trace.reached(rule, shape.length, node);
    const double error = std::sqrt(share * (1 - share) / draws);
    EXPECT_NEAR(static_cast<double>(count) / draws, share, 5 * error + 1e-3);
  }
}

TEST(SoftWalks, FoldDetoursAway) {
  const OperatorId stay = 6;
  // To 4 and back, and then to 5, which lies beyond 3.
  const std::vector<OperatorId> operators = {1, 4, stay, 2, 0};
  const std::vector<std::uint32_t> places = {7, 4, 7, 7, 3, 5};
  const FoldedWalk walk = folded(operators, places);
  EXPECT_EQ(walk.hops, (std::vector<OperatorId>{2, 0}));
  EXPECT_EQ(walk.places, (std::vector<std::uint32_t>{7, 3, 5}));
  EXPECT_EQ(walk.variables, (std::vector<std::vector<std::size_t>>{{0, 2, 3}, {4}, {5}}));
  const std::vector<OperatorId> back = {1, 4};
  const std::vector<std::uint32_t> there = {7, 4, 7};
  EXPECT_TRUE(folded(back, there).hops.empty());
}

/// All groundings that lead from node 0 to a node by at most so many hops, however they turn.
template <class Action>
void each_grounding(const RuleTrace& trace, std::uint32_t hops, std::vector<OperatorId>& operators,
                    std::vector<std::uint32_t>& nodes, Action&& action) {
  action();
  if (operators.size() == hops) return;
  for (const Edge& edge : trace.graph().edges(trace.entity(nodes.back()))) {
    operators.push_back(edge.op);
    nodes.push_back(trace.node(edge.target));
    each_grounding(trace, hops, operators, nodes, action);
    operators.pop_back();
    nodes.pop_back();
  }
}

/// The weight of a body is what one grounding of it adds, and all of them make the score. Without
/// functions it is the same for every grounding: sigmoid(w) times the operators' shares.
RC_GTEST_PROP(GroundingWeight, OfAllBodiesTimesGroundingsIsTheScore, ()) {
  ModelShape shape = shape_of_soft_rules();
  shape.depth = *rc::gen::inRange(0U, 3U);
  if (shape.depth == 0) shape.width = 0;
  shape.length = *rc::gen::inRange(1U, 4U);
  shape.evidence = false;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const RandomCase given = random_case(shape, {6, 10, 1}, seed);
  const Parameters<float> parameters = random_parameters<float>(shape, seed);
  const Asked asked(shape, given.graph, parameters, {});
  const RuleTrace& trace = asked.trace;
  std::map<std::uint32_t, double> sums;
  std::map<std::pair<std::uint32_t, std::vector<OperatorId>>, double> worth;
  std::vector<OperatorId> operators;
  std::vector<std::uint32_t> nodes = {0};
  each_grounding(trace, shape.length, operators, nodes, [&] {
    const double weight = grounding_weight(trace, operators, nodes);
    sums[nodes.back()] += weight;
    const auto [known, fresh] = worth.try_emplace({nodes.back(), operators}, weight);
    if (shape.depth == 0) RC_ASSERT(std::abs(known->second - weight) <= 1e-6 * weight);
  });
  for (std::uint32_t node = 0; node < trace.ball().nodes.size(); ++node) {
    double score = 0;
    for (std::size_t rule = 0; rule < shape.rules; ++rule)
      score += trace.share(rule, shape.length, node);
    RC_ASSERT(std::abs(sums[node] - score) <= 1e-4 * (1e-6 + score));
  }
}

}  // namespace
}  // namespace lerpp
