// SPDX-License-Identifier: Apache-2.0
#include "read/folds.hpp"

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>

namespace lerpp {
namespace {

TEST(Folds, HideAFactAndAboutItsShareOfTheOthers) {
  FamilyOptions family;
  family.people = 120;
  const Dataset dataset = generate_family(family).dataset;
  const Graph graph = dataset.known_graph();
  const Folds folds(graph, 10);
  const std::span<const Fact> facts = dataset[Split::train];
  const Mask& mask = folds.hiding(facts.front());
  std::size_t hidden = 0;
  for (const Fact& fact : facts) {
    const bool same = &folds.hiding(fact) == &mask;
    hidden += same ? 1 : 0;
    EXPECT_EQ(mask.hides(graph.find(fact.subject, fact.relation, fact.object)), same);
    EXPECT_EQ(mask.hides(graph.find(fact.object, graph.inverse(fact.relation), fact.subject)),
              same);
  }
  const double share = static_cast<double>(hidden) / static_cast<double>(facts.size());
  EXPECT_NEAR(share, 0.1, 0.05);
}

}  // namespace
}  // namespace lerpp
