// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>

#include "kg/family_world.hpp"
#include "kg/rule_text.hpp"

namespace lerpp {
namespace {

FamilyOptions small(std::uint64_t seed, std::uint32_t people, std::uint32_t generations = 5) {
  FamilyOptions options;
  options.seed = seed;
  options.people = people;
  options.generations = generations;
  return options;
}

Graph truth(const FamilyOptions& options) {
  const family::World world = family::make_world(options);
  return {static_cast<EntityId>(world.people.size()), 12, {family::true_facts(world)}};
}

Vocabulary family_relations() {
  Vocabulary relations;
  for (const std::string_view name : family::relation_names) relations.intern(name);
  return relations;
}

std::vector<Fact> all_facts(const Dataset& dataset) {
  std::vector<Fact> all;
  for (const auto& split : dataset.splits) all.insert(all.end(), split.begin(), split.end());
  return all;
}

TEST(FamilyRules, HoldWithoutExceptionInEveryWorld) {
  const Vocabulary relations = family_relations();
  const test::RuleParser parser(relations);
  std::map<std::string, std::uint64_t> support;
  for (const auto& options : {small(1, 20, 2), small(2, 60, 3), small(3, 400, 4), small(4, 900, 6),
                              small(5, 1200, 12), small(6, 1500, 3), small(77, 300, 30)}) {
    const Graph graph = truth(options);
    for (const std::string& rule : family::true_rules()) {
      const test::Tally tally = test::evaluate(parser.parse(rule), graph);
      EXPECT_EQ(tally.support, tally.body) << rule << ", seed " << options.seed;
      support[rule] += tally.support;
    }
  }
  for (const auto& [rule, count] : support) EXPECT_GT(count, 100) << rule;
}

TEST(FamilyRules, ProveNearlyAllFactsOfEveryRelation) {
  const Vocabulary relations = family_relations();
  const test::RuleParser parser(relations);
  const Graph graph = truth(small(8, 1200));
  std::set<Fact> proved;
  for (const std::string& rule : family::true_rules()) {
    test::evaluate(parser.parse(rule), graph, &proved);
  }
  std::vector<double> facts(12);
  std::vector<double> covered(12);
  for (EntityId e = 0; e < graph.entities(); ++e) {
    for (const Edge& edge : graph.edges(e)) {
      if (edge.op < 12) ++facts[edge.op];
    }
  }
  for (const Fact& fact : proved) ++covered[fact.relation];
  for (RelationId r = 0; r < 12; ++r) EXPECT_GT(covered[r], 0.99 * facts[r]) << relations.name(r);
}

TEST(FamilyRules, AreDistinctAndSortedByHead) {
  const auto& rules = family::true_rules();
  EXPECT_EQ(std::set<std::string>(rules.begin(), rules.end()).size(), rules.size());
  const Vocabulary relations = family_relations();
  const test::RuleParser parser(relations);
  RelationId last = 0;
  for (const std::string& rule : rules) {
    const RelationId head = parser.parse(rule).head.relation;
    EXPECT_LE(last, head);
    last = head;
  }
}

TEST(FamilyWorld, HasNoIncestAndOneSpouseForLife) {
  const family::World world = family::make_world(small(4, 2000));
  const auto parents = [&](std::uint32_t id) {
    std::set<std::uint32_t> known;
    if (world.people[id].birth != family::nobody) {
      const family::Household& home = world.households[world.people[id].birth];
      for (const auto parent : {home.father, home.mother}) {
        if (parent != family::nobody) known.insert(parent);
      }
    }
    return known;
  };
  const auto ancestors = [&](std::uint32_t id) {
    std::set<std::uint32_t> known = parents(id);
    for (const auto parent : parents(id)) known.merge(parents(parent));
    return known;
  };
  for (std::uint32_t id = 0; id < world.people.size(); ++id) {
    const std::uint32_t spouse = world.people[id].spouse;
    if (spouse == family::nobody) continue;
    EXPECT_EQ(world.people[spouse].spouse, id);
    EXPECT_NE(world.people[spouse].male, world.people[id].male);
    for (const auto ancestor : ancestors(id)) {
      EXPECT_NE(ancestor, spouse);
      EXPECT_FALSE(ancestors(spouse).contains(ancestor));
    }
  }
}

TEST(GenerateFamily, HasTheSizesOfTheBenchmark) {
  const std::map<std::string, double> benchmark = {
      {"aunt", 2990},    {"brother", 3076}, {"daughter", 1589}, {"father", 2010},
      {"husband", 1138}, {"mother", 1714},  {"nephew", 3633},   {"niece", 2815},
      {"sister", 2658},  {"son", 2110},     {"uncle", 3485},    {"wife", 1138}};
  const Generated generated = generate_family({});
  const Dataset& dataset = generated.dataset;
  EXPECT_EQ(dataset.name, "family");
  EXPECT_EQ(dataset.format, "generated");
  EXPECT_NEAR(dataset.entities.size(), 3000, 10);
  std::map<std::string, double> sizes;
  const std::vector<Fact> all = all_facts(dataset);
  for (const Fact& fact : all) ++sizes[std::string(dataset.relations.name(fact.relation))];
  for (const auto& [relation, size] : benchmark) {
    EXPECT_NEAR(sizes[relation], size, 0.3 * size) << relation;
  }
  const auto share = [&](Split split) {
    return static_cast<double>(dataset[split].size()) / static_cast<double>(all.size());
  };
  EXPECT_NEAR(share(Split::facts), 0.62, 0.01);
  EXPECT_NEAR(share(Split::train), 0.21, 0.01);
  EXPECT_NEAR(share(Split::valid), 0.07, 0.01);
  EXPECT_NEAR(share(Split::test), 0.10, 0.01);
  EXPECT_EQ(generated.rules, family::true_rules());
}

TEST(GenerateFamily, DropsTheGapsAndNothingElse) {
  FamilyOptions options = small(3, 500);
  const family::World world = family::make_world(options);
  const auto names = family::names(world);
  std::set<std::array<std::string, 3>> truths;
  for (const Fact& fact : family::true_facts(world)) {
    truths.insert({names[fact.subject], std::string(family::relation_names[fact.relation]),
                   names[fact.object]});
  }
  ASSERT_EQ(truths.size(), family::true_facts(world).size());
  for (const double gaps : {0.0, 0.1, 0.5}) {
    options.gaps = gaps;
    const Dataset dataset = generate_family(options).dataset;
    std::set<Fact> seen;
    for (const Fact& fact : all_facts(dataset)) {
      EXPECT_TRUE(seen.insert(fact).second) << "a fact stands twice";
      EXPECT_TRUE(truths.contains({std::string(dataset.entities.name(fact.subject)),
                                   std::string(dataset.relations.name(fact.relation)),
                                   std::string(dataset.entities.name(fact.object))}));
    }
    const auto all = static_cast<double>(truths.size());
    EXPECT_NEAR(static_cast<double>(seen.size()), (1 - gaps) * all, 1);
  }
}

TEST(GenerateFamily, AsksOnlyAboutWhatLearningHasSeen) {
  for (const auto& options : {small(1, 20, 2), small(2, 50), small(3, 2000)}) {
    const Dataset dataset = generate_family(options).dataset;
    std::set<EntityId> seen;
    for (const Split split : {Split::facts, Split::train}) {
      for (const Fact& fact : dataset[split]) seen.insert({fact.subject, fact.object});
    }
    EXPECT_EQ(seen.size(), dataset.entities.size());
    EXPECT_FALSE(dataset[Split::test].empty());
  }
}

TEST(GenerateFamily, GivesTheSameForTheSameSeed) {
  const Generated one = generate_family(small(9, 700));
  const Generated same = generate_family(small(9, 700));
  const Generated other = generate_family(small(10, 700));
  EXPECT_EQ(one.dataset.splits, same.dataset.splits);
  ASSERT_EQ(one.dataset.entities.size(), same.dataset.entities.size());
  for (EntityId e = 0; e < one.dataset.entities.size(); ++e) {
    EXPECT_EQ(one.dataset.entities.name(e), same.dataset.entities.name(e));
  }
  EXPECT_NE(one.dataset.splits, other.dataset.splits);
  // Written down once, so that another machine or library can be seen to agree.
  std::uint64_t digest = 0;
  for (const Fact& fact : all_facts(one.dataset)) {
    for (const char c : one.dataset.entities.name(fact.subject)) {
      digest = (digest ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15U;
    }
    digest = (digest ^ fact.relation) * 0x9e3779b97f4a7c15U;
    digest = (digest ^ fact.object) * 0x9e3779b97f4a7c15U;
  }
  EXPECT_EQ(digest, 12192742071739173932U);
}

TEST(GenerateFamily, ManagesOddSizes) {
  for (const std::uint32_t people : {20U, 21U, 23U, 37U, 50U, 101U}) {
    for (const std::uint32_t generations : {2U, 3U, 7U, 50U}) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const family::World world = family::make_world(small(seed, people, generations));
        EXPECT_NEAR(static_cast<double>(world.people.size()), people, 1);
        EXPECT_FALSE(generate_family(small(seed, people, generations)).dataset.entities.empty());
      }
    }
  }
}

TEST(FamilyOptions, AreChecked) {
  EXPECT_TRUE(check_options(FamilyOptions{}));
  EXPECT_FALSE(check_options(small(1, 5)));
  FamilyOptions options;
  options.gaps = 0.9;
  EXPECT_FALSE(check_options(options));
}

}  // namespace
}  // namespace lerpp
