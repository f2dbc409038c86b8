#include "model/pair_term.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/random_case.hpp"

namespace lerpp {
namespace {

RandomCase any_pair_case(std::uint64_t seed) {
  ModelShape shape;
  shape.relations = *rc::gen::inRange<RelationId>(1, 4);
  shape.width = *rc::gen::inRange<std::uint32_t>(1, 20);
  shape.depth = *rc::gen::inRange<std::uint32_t>(1, 4);
  shape.evidence = true;
  shape.pairs = *rc::gen::inRange<std::uint32_t>(1, 20);
  return random_case(shape, {10, *rc::gen::inRange<std::size_t>(1, 40), 3}, seed);
}

/// The functions of every entity, with padding.
Functions<double> functions_of(const RandomCase& given, const Parameters<double>& parameters,
                               const Mask& mask, Team& team) {
  std::vector<EntityId> all(given.graph.entities());
  std::iota(all.begin(), all.end(), EntityId{0});
  Functions<double> functions(given.graph, given.shape, team);
  functions.prepare(parameters);
  functions.forward(all, &mask, false);
  return functions;
}

/// One end of a rule: a softmax over true and the functions of an entity.
double end_by_hand(const Functions<double>& functions, std::span<const double> raw,
                   EntityId entity) {
  double sum = 0;
  double norm = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const double truth = i == 0 ? 1 : functions.values()[entity * functions.width() + i - 1];
    sum += std::exp(raw[i]) * truth;
    norm += std::exp(raw[i]);
  }
  return sum / norm;
}

RC_GTEST_PROP(PairTerm, AddsWhatItsRulesSay, ()) {
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
  const RandomCase given = any_pair_case(seed);
  const auto parameters = random_parameters<double>(given.shape, seed);
  const EntityId entities = given.graph.entities();
  const OperatorId target = given.batch.target;
  Team team(1);
  Mask mask(given.graph);
  mask.hide(given.batch.hidden);
  const Functions<double> functions = functions_of(given, parameters, mask, team);
  PairTerm<double> term(given.shape, entities, 1);
  term.begin(parameters, target, {&mask, functions.values()});

  const std::size_t pairs = given.shape.pairs;
  const std::size_t count = given.shape.functions() + std::size_t{1};
  const auto end = [&](std::size_t number, EntityId entity) {
    return end_by_hand(functions, parameters.of(Part::ends, target).subspan(number * count, count),
                       entity);
  };
  for (const EntityId start : given.batch.starts) {
    std::vector<double> scores(entities, 1);
    term.add(0, start, scores);
    for (EntityId entity = 0; entity < entities; ++entity) {
      double expected = 1;
      double explained = 1;
      for (std::size_t l = 0; l < pairs; ++l)
        expected += parameters.of(Part::pair, target)[l] * end(l, start) * end(pairs + l, entity);
      for (const PairReason& reason : term.explain(start, entity)) explained += reason.contribution;
      RC_ASSERT(std::abs(scores[entity] - expected) <= 1e-12);
      RC_ASSERT(std::abs(explained - expected) <= 1e-12);
    }
  }
}

// Where nothing else speaks, the functions learn from the pairs alone.
TEST(PairTerm, TeachesTheFunctions) {
  ModelShape shape;
  shape.relations = 2;
  shape.width = 4;
  shape.depth = 2;
  shape.evidence = true;
  shape.pairs = 2;
  const RandomCase given = random_case(shape, {12, 30, 3}, 3);
  auto parameters = random_parameters<double>(shape, 3);
  for (double& weight : parameters.of(Part::weight, given.batch.target)) weight = 0;
  const auto moves_functions = [&] {
    Team team(1);
    Engine<double> engine(given.graph, shape, team);
    add_terms(given, 1, engine);
    Parameters<double> gradient(shape);
    engine.learn(parameters, given.batch, gradient);
    return std::ranges::any_of(gradient.shared(), [](double d) { return std::abs(d) > 1e-6; });
  };
  EXPECT_TRUE(moves_functions());
  for (double& weight : parameters.of(Part::pair, given.batch.target)) weight = 0;
  EXPECT_FALSE(moves_functions());
}

}  // namespace
}  // namespace lerpp
