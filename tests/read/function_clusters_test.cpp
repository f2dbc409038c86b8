// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/logic/evaluate.hpp>
#include <lerp/read/function_clusters.hpp>

#include "train/small_family.hpp"

namespace lerpp {
namespace {

struct Case {
  Dataset dataset = test::family(80);
  Model model = test::must_train(dataset, test::small_options(2)).model;
};

const Case& learned() {
  static const Case result;
  return result;
}

FunctionClusters clusters(std::uint32_t count) {
  ClusterOptions options;
  options.clusters = count;
  options.least = 0;
  options.threads = 1;
  return function_clusters(learned().model, KnownGraph(learned().dataset), options).value();
}

TEST(FunctionClusters, AreToldByFormulasThatHoldOfTheirEntitiesAlone) {
  const FunctionClusters found = clusters(6);
  ASSERT_GE(found.clusters.size(), 3U);
  const Graph graph = learned().dataset.known_graph();
  std::size_t all = 0;
  for (std::size_t number = 0; number < found.clusters.size(); ++number) {
    const EntitySet holds = evaluate(found.clusters[number].formula, graph);
    EXPECT_EQ(found.clusters[number].count, holds.count());
    all += holds.count();
    for (std::size_t i = 0; i < found.entities.size(); ++i)
      EXPECT_EQ(holds.contains(found.entities[i]), found.cluster_of[i] == number);
    for (const EntityId example : found.clusters[number].examples)
      EXPECT_TRUE(holds.contains(example));
  }
  EXPECT_EQ(all, graph.entities());
}

TEST(FunctionClusters, ExplainMoreTheMoreThereAre) {
  double last = -1;
  for (const std::uint32_t count : {1U, 2U, 4U, 8U}) {
    const FunctionClusters found = clusters(count);
    EXPECT_LE(found.clusters.size(), count);
    EXPECT_GT(found.explained, last);
    EXPECT_LE(found.explained, 1);
    last = found.explained;
  }
  EXPECT_EQ(clusters(1).explained, 0);
}

}  // namespace
}  // namespace lerpp
