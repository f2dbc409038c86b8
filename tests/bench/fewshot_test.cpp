// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/bench/fewshot.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {
namespace {

Dataset small_family() {
  FamilyOptions options;
  options.people = 60;
  return generate_family(options).dataset;
}

std::size_t facts_of(const Dataset& dataset, Split split, RelationId relation) {
  return static_cast<std::size_t>(std::ranges::count(dataset[split], relation, &Fact::relation));
}

TEST(Fewshot, CutsRelationsAndLeavesTheOthers) {
  const Dataset whole = small_family();
  const Dataset cut = cut_relations(whole, {0, 2}, 2, 1);
  for (RelationId relation = 0; relation < whole.relations.size(); ++relation) {
    const bool is_cut = relation == 0 || relation == 2;
    EXPECT_EQ(facts_of(cut, Split::train, relation),
              is_cut ? 2 : facts_of(whole, Split::train, relation));
    EXPECT_EQ(facts_of(cut, Split::valid, relation),
              is_cut ? 0 : facts_of(whole, Split::valid, relation));
  }
  EXPECT_EQ(cut[Split::test], whole[Split::test]);
  // What is kept may have been a fact that is known and never asked for.
  const Graph known = whole.known_graph(KnownSplits::train, 1);
  EXPECT_TRUE(std::ranges::all_of(cut[Split::train],
                                  [&](const Fact& fact) { return known.contains(fact); }));
  EXPECT_EQ(cut[Split::train], cut_relations(whole, {0, 2}, 2, 1)[Split::train]);
}

TEST(Fewshot, RefusesADatasetThatIsNotThere) {
  const auto bench = bench_fewshot({"no-such-folder"}, {}, {});
  ASSERT_FALSE(bench);
  EXPECT_NE(bench.error().where.find("no-such-folder"), std::string::npos);
}

}  // namespace
}  // namespace lerpp
