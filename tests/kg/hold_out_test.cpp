// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/import.hpp>

#include "kg/small_dataset.hpp"
#include "support/any_fact.hpp"

namespace lerpp {
namespace {

/// A ring with chords: every entity can be spared many times.
Dataset ring(EntityId entities) {
  Dataset dataset;
  for (EntityId e = 0; e < entities; ++e) dataset.entities.intern(std::to_string(e));
  for (const char* name : {"next", "over"}) dataset.relations.intern(name);
  for (EntityId e = 0; e < entities; ++e) {
    for (EntityId step = 1; step <= 5; ++step) {
      dataset[Split::train].push_back({e, step % 2, (e + step) % entities});
    }
  }
  return dataset;
}

TEST(HoldOut, TakesExactSharesAndKeepsEveryFact) {
  Dataset dataset = ring(200);
  const std::vector<Fact> before = dataset[Split::train];
  hold_out(dataset, {0.1, 0.2, 7});
  EXPECT_EQ(dataset[Split::valid].size(), 100U);
  EXPECT_EQ(dataset[Split::test].size(), 200U);
  std::multiset<Fact> after;
  for (const Split split : all_splits) after.insert(dataset[split].begin(), dataset[split].end());
  EXPECT_EQ(after, std::multiset<Fact>(before.begin(), before.end()));
}

TEST(HoldOut, DependsOnTheSeedAlone) {
  Dataset first = ring(200);
  Dataset second = ring(200);
  Dataset third = ring(200);
  hold_out(first, {0.1, 0.1, 1});
  hold_out(second, {0.1, 0.1, 1});
  hold_out(third, {0.1, 0.1, 2});
  EXPECT_EQ(first.splits, second.splits);
  EXPECT_NE(first.splits, third.splits);
}

TEST(HoldOut, MeansTheSameFactsOnEveryMachine) {
  Dataset dataset = ring(10);
  hold_out(dataset, {0.02, 0.04, 1});
  EXPECT_EQ(dataset[Split::valid], (std::vector<Fact>{{0, 1, 1}}));
  EXPECT_EQ(dataset[Split::test], (std::vector<Fact>{{8, 1, 9}, {8, 1, 1}}));
}

TEST(HoldOut, OfNothingIsNothing) {
  Dataset dataset;
  hold_out(dataset, {});
  for (const Split split : all_splits) EXPECT_TRUE(dataset[split].empty());
}

TEST(HoldOut, SparesWhatWouldBecomeUnseen) {
  Dataset dataset;
  add_facts(dataset, Split::train, "a r b\n c s c");
  hold_out(dataset, {0.45, 0.45, 1});
  EXPECT_EQ(dataset[Split::train].size(), 2U);
}

TEST(HoldOut, LeavesWhatTheFactsKnowAnyway) {
  Dataset dataset;
  add_facts(dataset, Split::facts, "a r b\n b r c");
  add_facts(dataset, Split::train, "a r b\n b r c");
  hold_out(dataset, {0.45, 0.45, 1});
  EXPECT_EQ(dataset[Split::train].size(), 2U);
}

RC_GTEST_PROP(HoldOut, NeverMakesAnythingUnseen, ()) {
  Dataset dataset;
  const auto entities = *rc::gen::inRange<EntityId>(1, 12);
  for (EntityId e = 0; e < entities; ++e) dataset.entities.intern(std::to_string(e));
  for (const char* name : {"r", "s", "t"}) dataset.relations.intern(name);
  const auto fact = test::any_fact(entities, 3);
  dataset[Split::train] = *rc::gen::container<std::vector<Fact>>(fact);
  remove_repeated(dataset[Split::train], entities);
  const std::size_t before = dataset[Split::train].size();
  hold_out(dataset, {0.3, 0.4, *rc::gen::arbitrary<std::uint64_t>()});

  std::set<EntityId> seen;
  std::set<RelationId> related;
  for (const Fact& f : dataset[Split::train]) {
    seen.insert({f.subject, f.object});
    related.insert(f.relation);
  }
  for (const Split split : {Split::valid, Split::test}) {
    for (const Fact& f : dataset[split]) {
      RC_ASSERT(seen.contains(f.subject) && seen.contains(f.object) &&
                related.contains(f.relation));
    }
  }
  RC_ASSERT(dataset[Split::train].size() + dataset[Split::valid].size() +
                dataset[Split::test].size() ==
            before);
}

}  // namespace
}  // namespace lerpp
