#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/graph.hpp>

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
