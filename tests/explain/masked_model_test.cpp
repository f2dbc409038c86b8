// SPDX-License-Identifier: Apache-2.0
#include "explain/masked_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "explain/best_walks.hpp"
#include "explain/small_predictor.hpp"

namespace lerpp {
namespace {

Query query_of(const SmallWorld& world) {
  const bool tail = *rc::gen::arbitrary<bool>();
  return tail ? Query{world.fact.relation, world.fact.subject}
              : Query{world.fact.relation + world.graph.relations(), world.fact.object};
}

void expect_same(const Scores& ours, const Scores& theirs, EntityId entities) {
  for (EntityId entity = 0; entity < entities; ++entity)
    RC_ASSERT(near(double{ours.values[entity]}, double{score_of(theirs, entity)}));
}

RC_GTEST_PROP(MaskedModel, ScoresAsTheEngineDoes, ()) {
  const SmallWorld world = random_world();
  MaskedModel masked(world.model, world.graph, 1);
  for (int question = 0; question < 2; ++question) {
    const Query query = query_of(world);
    expect_same(masked.ask(query, {}), scores_on(world.graph, world.model, query),
                world.graph.entities());
  }
}

RC_GTEST_PROP(MaskedModel, HiddenFactsAreAsAbsent, ()) {
  const SmallWorld world = random_world();
  MaskedModel masked(world.model, world.graph, 1);
  const Query query = query_of(world);
  masked.ask(query, {});
  const std::vector<Fact> facts = facts_of(world.graph);
  const std::vector<Fact> hidden = {world.fact, facts.front(), facts.back()};
  expect_same(masked.ask(query, hidden),
              scores_on(without(world.graph, hidden), world.model, query), world.graph.entities());
  expect_same(masked.ask(query, {}), scores_on(world.graph, world.model, query),
              world.graph.entities());
}

RC_GTEST_PROP(MaskedModel, AddedFactsAreAsPresent, ()) {
  const SmallWorld world = random_world();
  const std::vector<Fact> facts = facts_of(world.graph);
  const std::vector<Fact> added = {world.fact, facts[facts.size() / 2]};
  const Graph less = without(world.graph, added);
  MaskedModel masked(world.model, less, 1);
  MaskedModel more(masked, world.graph, added, true);
  const Query query = query_of(world);
  expect_same(more.ask(query, {}), scores_on(world.graph, world.model, query),
              world.graph.entities());
  expect_same(more.ask(query, added), scores_on(less, world.model, query), less.entities());
}

RC_GTEST_PROP(MaskedModel, WithoutACountConstantsSayWhatTheySaid, ()) {
  const SmallWorld world = random_world();
  MaskedModel masked(world.model, world.graph, 1);
  const Query query = query_of(world);
  masked.ask(query, {&world.fact, 1});
  MaskedModel same(masked, world.graph, {}, false);
  expect_same(same.ask(query, {&world.fact, 1}),
              scores_on(without(world.graph, {world.fact}), world.model, query),
              world.graph.entities());
}

// All walks together carry what a rule has reached, and they come in the order of their weight.
RC_GTEST_PROP(BestWalks, CarryWhatIsReached, ()) {
  const SmallWorld world = random_world();
  MaskedModel masked(world.model, world.graph, 1);
  masked.ask(query_of(world), {&world.fact, 1});
  const RuleTrace& trace = masked.trace();
  BestWalks best(trace);
  const auto rule = *rc::gen::inRange(0U, trace.rules());
  const auto k = *rc::gen::inRange(0U, trace.length() + 1);
  const auto node =
      static_cast<std::uint32_t>(*rc::gen::inRange<std::size_t>(0, trace.ball().nodes.size()));
  const std::vector<SoftWalk> walks = best.find(rule, k, node, 1'000'000, 1e300);
  double sum = 0;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    sum += walks[i].weight;
    RC_ASSERT(walks[i].nodes.size() == k + 1U);
    RC_ASSERT(walks[i].nodes.front() == 0U);
    RC_ASSERT(walks[i].nodes.back() == node);
    if (i > 0) RC_ASSERT(walks[i].weight <= walks[i - 1].weight * (1 + 1e-12));
    double weight = trace.constraint(rule, 0, 0);
    for (std::uint32_t hop = 1; hop <= k; ++hop) {
      weight *= trace.hop_weight(rule, hop, walks[i].operators[hop - 1]) *
                trace.constraint(rule, hop, walks[i].nodes[hop]);
    }
    RC_ASSERT(near(weight, walks[i].weight));
  }
  const double reached = trace.reached(rule, k, node);
  RC_ASSERT(std::abs(sum - reached) <= 1e-4 * std::max(reached, 1e-30));
  // Fewer are the first of all.
  const std::vector<SoftWalk> some = best.find(rule, k, node, 3, 1e300);
  RC_ASSERT(some.size() == std::min<std::size_t>(3, walks.size()));
  for (std::size_t i = 0; i < some.size(); ++i) RC_ASSERT(near(some[i].weight, walks[i].weight));
}

}  // namespace
}  // namespace lerpp
