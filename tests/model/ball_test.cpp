// SPDX-License-Identifier: Apache-2.0
#include "model/ball.hpp"

#include <gtest/gtest.h>

namespace lerpp {
namespace {

/// Entity 0 has a thousand neighbours, and each of these one more.
Graph hub() {
  std::vector<Fact> facts;
  for (EntityId e = 1; e <= 1000; ++e) {
    facts.push_back({0, 0, e});
    facts.push_back({e, 1, 1000 + e});
  }
  return Graph(2001, 2, {facts});
}

TEST(Ball, HasAllEdgesWhereThereIsNoBound) {
  const Graph graph = hub();
  BallFinder finder(graph);
  Ball ball;
  ASSERT_TRUE(finder.find(0, {2, graph.entities()}, nullptr, ball));
  EXPECT_EQ(ball.nodes.size(), 2001U);
  EXPECT_EQ(ball.edges.size(), 3000U);
}

TEST(Ball, HubsHaveSomeOfTheirEdgesEvenlySpread) {
  const Graph graph = hub();
  BallFinder finder(graph);
  Ball ball;
  ASSERT_TRUE(finder.find(0, {2, graph.entities(), 500, 160}, nullptr, ball));
  // An eighth of the edges for the hub, then two for each neighbour.
  EXPECT_EQ(ball.starts[1], 20U);
  EXPECT_EQ(ball.edges.size(), 60U);
  EXPECT_EQ(ball.nodes.size(), 41U);
  EXPECT_EQ(ball.nodes[1], 1U);
  EXPECT_EQ(ball.nodes[20], 951U);
  EXPECT_EQ(ball.within, (std::vector<std::size_t>{1, 21, 41}));
  EXPECT_EQ(ball.starts.size(), 22U);
}

TEST(Ball, WhoComesAfterTheBoundHasNoEdges) {
  // Ten neighbours with ten more each.
  std::vector<Fact> facts;
  for (EntityId e = 1; e <= 10; ++e) {
    facts.push_back({0, 0, e});
    for (EntityId other = 0; other < 10; ++other) facts.push_back({e, 1, 10 * e + other + 1});
  }
  const Graph graph(111, 2, {facts});
  BallFinder finder(graph);
  Ball ball;
  ASSERT_TRUE(finder.find(0, {2, graph.entities(), 500, 80}, nullptr, ball));
  EXPECT_EQ(ball.edges.size(), 80U);  // ten of the start and of seven neighbours
  EXPECT_EQ(ball.starts.size(), ball.within[1] + 1);
  EXPECT_EQ(ball.starts[8], 80U);
  EXPECT_EQ(ball.starts[11], 80U);
}

}  // namespace
}  // namespace lerpp
