// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/graph.hpp>

#include "base/random.hpp"
#include "support/any_fact.hpp"

namespace lerpp {
namespace {

constexpr EntityId entities = 9;
constexpr RelationId relations = 3;

std::vector<Fact> any_facts() {
  return *rc::gen::container<std::vector<Fact>>(test::any_fact(entities, relations));
}

RC_GTEST_PROP(Graph, HoldsEachFactOnceInBothDirections, ()) {
  const auto facts = any_facts();
  const auto more = any_facts();
  std::set<Fact> expected(facts.begin(), facts.end());
  expected.insert(more.begin(), more.end());
  const Graph graph(entities, relations, {facts, more}, *rc::gen::inRange(1U, 4U));
  RC_ASSERT(graph.facts() == expected.size());
  std::set<Fact> forwards;
  std::set<Fact> backwards;
  for (EntityId e = 0; e < entities; ++e) {
    const auto row = graph.edges(e);
    RC_ASSERT(std::is_sorted(row.begin(), row.end()));
    for (const Edge& edge : row) {
      if (edge.op < relations) {
        forwards.insert({e, edge.op, edge.target});
      } else {
        backwards.insert({edge.target, edge.op - relations, e});
      }
      RC_ASSERT(graph.contains(edge.target, graph.inverse(edge.op), e));
    }
    for (OperatorId op = 0; op < graph.operators(); ++op) {
      const auto some = graph.edges(e, op);
      RC_ASSERT(std::count_if(row.begin(), row.end(), [&](Edge x) { return x.op == op; }) ==
                static_cast<std::ptrdiff_t>(some.size()));
      for (const Edge& edge : some) RC_ASSERT(edge.op == op);
    }
  }
  RC_ASSERT(forwards == expected);
  RC_ASSERT(backwards == expected);
}

TEST(Graph, IsTheSameWithAnyNumberOfThreadsAndBlocks) {
  // Enough edges for several blocks of rows, some facts twice, and a hub.
  constexpr EntityId many = 3000;
  Random random(1);
  std::vector<Fact> facts;
  for (int i = 0; i < 60'000; ++i) {
    const auto subject = static_cast<EntityId>(i % 3 == 0 ? 7 : random.below(many));
    facts.push_back({subject, static_cast<RelationId>(random.below(5)),
                     static_cast<EntityId>(random.below(many))});
  }
  facts.insert(facts.end(), facts.begin(), facts.begin() + 1000);
  std::set<std::tuple<EntityId, OperatorId, EntityId>> expected;
  for (const Fact& fact : facts) {
    expected.insert({fact.subject, fact.relation, fact.object});
    expected.insert({fact.object, 5 + fact.relation, fact.subject});
  }
  for (const unsigned threads : {1U, 2U, 5U}) {
    const Graph graph(many, 5, {std::span(facts).first(20'000), std::span(facts).subspan(20'000)},
                      threads);
    ASSERT_EQ(graph.edges().size(), expected.size());
    auto next = expected.begin();
    for (EntityId e = 0; e < many; ++e) {
      for (const Edge& edge : graph.edges(e)) {
        ASSERT_EQ(*next++, std::tuple(e, edge.op, edge.target));
      }
    }
  }
}

TEST(Graph, HoldsNothingWhereItIsStopped) {
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 2}};
  std::stop_source source;
  source.request_stop();
  const Graph graph(3, 1, {facts}, 2, Observer{{}, source.get_token()});
  EXPECT_EQ(graph.entities(), 3U);
  EXPECT_EQ(graph.facts(), 0U);
  EXPECT_TRUE(graph.edges(2).empty());
}

RC_GTEST_PROP(Mask, HidesExactlyTheFactsOfTheLastBatch, ()) {
  const auto facts = any_facts();
  const Graph graph(entities, relations, {facts});
  Mask mask(graph);
  mask.hide(any_facts());
  const auto batch = any_facts();
  mask.hide(batch);
  const std::set<Fact> hidden(batch.begin(), batch.end());
  for (EntityId e = 0; e < entities; ++e) {
    bool any = false;
    for (std::size_t i = 0; i < graph.edges(e).size(); ++i) {
      const Edge edge = graph.edges(e)[i];
      const Fact fact = edge.op < relations ? Fact{e, edge.op, edge.target}
                                            : Fact{edge.target, edge.op - relations, e};
      const bool hides = mask.hides(graph.start(e) + i);
      RC_ASSERT(hides == hidden.contains(fact));
      any = any || hides;
    }
    RC_ASSERT(mask.touches(e) == any);
  }
}

TEST(Graph, IsEmptyWithoutEntities) {
  const Graph graph(0, 0, {});
  EXPECT_EQ(graph.facts(), 0U);
  EXPECT_EQ(Graph().facts(), 0U);
}

}  // namespace
}  // namespace lerpp
