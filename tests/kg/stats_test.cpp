// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/kg/stats.hpp>

#include "kg/small_dataset.hpp"
#include "support/any_fact.hpp"

namespace lerpp {
namespace {

const Stats::SplitStats& of(const Stats& stats, Split split) {
  for (const Stats::SplitStats& some : stats.splits) {
    if (some.split == split) return some;
  }
  throw std::out_of_range("no such split");
}

TEST(Stats, OfNothing) {
  const Stats stats = *statistics({});
  EXPECT_EQ(stats.entities, 0U);
  EXPECT_TRUE(stats.splits.empty());
  EXPECT_EQ(stats.degrees.median, 0U);
  EXPECT_EQ(to_text(stats),
            "dataset: 0 entities, 0 relations, 0 facts\n\nworth knowing\n  - there are no facts\n");
  EXPECT_EQ(to_json(stats)["splits"], Json::object());
}

TEST(Stats, OfOneEntity) {
  Dataset dataset;
  dataset.name = "one";
  add_facts(dataset, Split::train, "a likes a");
  const Stats stats = *statistics(dataset);
  // A fact is not its own inverse, nor does it make its own pair known.
  EXPECT_EQ(of(stats, Split::train).inverse_known, 0);
  EXPECT_EQ(of(stats, Split::train).pair_known, 0);
  EXPECT_EQ(of(stats, Split::train).known, 0U);
  EXPECT_EQ(stats.degrees.max, 2U);  // out and in
  EXPECT_EQ(stats.degrees.max_entity, "a");
  const std::string text = to_text(stats);
  EXPECT_TRUE(text.starts_with("one: 1 entity, 1 relation, 1 fact\n")) << text;
  EXPECT_NE(text.find("there is no test split"), std::string::npos) << text;
}

TEST(Stats, CountsEachDefect) {
  Dataset dataset;
  dataset.name = "defects";
  add_facts(dataset, Split::facts, "a father b\n c father d");
  add_facts(dataset, Split::train, "a father b\n b son a");
  add_facts(dataset, Split::valid, "c father d\n a knows e");
  add_facts(dataset, Split::test, "d son c\n c loves d\n a father b\n e son e\n a knows e");
  dataset.relations.intern("unused");
  dataset.entities.intern("hermit");
  dataset.repeated[static_cast<std::size_t>(Split::train)] = 3;
  dataset.entity_texts[0] = "Anna";
  const Stats stats = *statistics(dataset, 2);

  EXPECT_EQ(stats.entities, 6U);
  EXPECT_EQ(stats.named, 1U);
  EXPECT_EQ(stats.unseen_entities, 1U);
  EXPECT_EQ(stats.empty_relations, 3U);  // knows, loves, unused
  EXPECT_EQ(stats.degrees.isolated, 2U);
  EXPECT_EQ(stats.degrees.max, 2U);
  EXPECT_EQ(stats.degrees.max_entity, "a");
  EXPECT_EQ(stats.degrees.max_label, "Anna");
  EXPECT_EQ(stats.degrees.median, 1U);
  EXPECT_DOUBLE_EQ(stats.degrees.mean, 1.0);

  const Stats::SplitStats& facts = of(stats, Split::facts);
  EXPECT_EQ(facts.known, 1U);
  EXPECT_DOUBLE_EQ(facts.inverse_known, 0.5);
  const Stats::SplitStats& train = of(stats, Split::train);
  EXPECT_EQ(train.repeated, 3U);
  EXPECT_EQ(train.known, 1U);
  EXPECT_DOUBLE_EQ(train.inverse_known, 1);
  EXPECT_DOUBLE_EQ(train.pair_known, 0);
  const Stats::SplitStats& valid = of(stats, Split::valid);
  EXPECT_EQ(valid.known, 1U);
  EXPECT_EQ(valid.unseen_entity, 1U);
  const Stats::SplitStats& test = of(stats, Split::test);
  EXPECT_EQ(test.facts, 5U);
  EXPECT_EQ(test.unseen_entity, 2U);
  EXPECT_EQ(test.unseen_relation, 2U);
  EXPECT_EQ(test.known, 1U);
  EXPECT_DOUBLE_EQ(test.inverse_known, 0.4);  // d son c, a father b
  EXPECT_DOUBLE_EQ(test.pair_known, 0.2);     // c loves d

  ASSERT_EQ(stats.overlaps.size(), 5U);
  EXPECT_EQ(stats.overlaps.front().first, Split::facts);
  EXPECT_EQ(stats.overlaps.front().second, Split::train);
  EXPECT_EQ(stats.overlaps.back().first, Split::valid);
  EXPECT_EQ(stats.overlaps.back().facts, 1U);

  EXPECT_EQ(stats.by_relation.front().name, "son");
  EXPECT_EQ(stats.by_relation.front().facts, 3U);
  EXPECT_DOUBLE_EQ(stats.by_relation.front().objects_per_subject, 1);

  const std::string text = to_text(stats);
  for (const char* sentence :
       {"facts and train share 1 fact: known twice", "train and test share 1 fact: what is asked",
        "validation and test share 1 fact: tuning", "2 test facts (40 %) have an entity unseen",
        "2 test facts have a relation unseen", "40 % of the test facts have their inverse",
        "20 % of the test facts join a pair", "the train file repeats 3 facts",
        "1 entity occurs only in validation or test", "1 entity has no fact at all",
        "3 relations have no known fact", "largest 2 (Anna)"}) {
    EXPECT_NE(text.find(sentence), std::string::npos) << sentence << "\nis not in\n" << text;
  }
}

TEST(Stats, JsonHasTheDocumentedKeys) {
  Dataset dataset;
  dataset.name = "small";
  dataset.format = "three columns";
  add_facts(dataset, Split::train, "a r b\n a r c\n d r b");
  add_facts(dataset, Split::test, "a r b");
  const Json json = to_json(*statistics(dataset));
  EXPECT_EQ(json.dump(),
            R"({"dataset":"small","format":"three columns","notes":[],"entities":4,"relations":1,)"
            R"("named_entities":0,"unseen_entities":0,"empty_relations":0,"splits":{)"
            R"("train":{"facts":3,"repeated":0,"unseen_entity":0,"unseen_relation":0,"known":0,)"
            R"("inverse_known":0.0,"pair_known":0.0},)"
            R"("test":{"facts":1,"repeated":0,"unseen_entity":0,"unseen_relation":0,"known":1,)"
            R"("inverse_known":0.0,"pair_known":0.0}},)"
            R"("overlaps":[{"first":"train","second":"test","facts":1}],)"
            R"("degrees":{"median":1,"mean":1.5,"percentile_99":2,"max":2,"max_entity":"a",)"
            R"("max_label":"a","isolated":0},)"
            R"("by_relation":{"r":{"facts":3,"subjects_per_object":1.5,)"
            R"("objects_per_subject":1.5}}})");
}

TEST(Stats, GroupsThousandsAndShortensPaths) {
  Stats stats;
  stats.dataset = "large";
  stats.entities = 1'234'567;
  stats.relations = 999;
  stats.splits.push_back({Split::train, 1000, 0, 0, 0, 0, 0.9999, 0.0001});
  stats.by_relation.push_back({std::string(50, 'x') + "/award", 1000, 1, 1});
  const std::string text = to_text(stats);
  EXPECT_TRUE(text.starts_with("large: 1,234,567 entities, 999 relations, 1,000 facts\n")) << text;
  EXPECT_NE(text.find("99.9 %"), std::string::npos) << text;
  EXPECT_NE(text.find("< 0.1 %"), std::string::npos) << text;
  EXPECT_NE(text.find("…xxx"), std::string::npos) << text;
}

/// The definitions, spelled out with loops over all pairs of facts.
RC_GTEST_PROP(Stats, AgreesWithTheDefinitions, ()) {
  Dataset dataset;
  for (const char* name : {"a", "b", "c", "d"}) dataset.entities.intern(name);
  for (const char* name : {"r", "s", "t"}) dataset.relations.intern(name);
  const auto fact = test::any_fact(4, 3);
  for (const Split split : all_splits) {
    dataset[split] = *rc::gen::unique<std::vector<Fact>>(fact).as("facts");
  }
  const Stats stats = *statistics(dataset, *rc::gen::inRange(1U, 4U));

  std::vector<Fact> known = dataset[Split::facts];
  known.insert(known.end(), dataset[Split::train].begin(), dataset[Split::train].end());
  for (const Stats::SplitStats& split : stats.splits) {
    std::uint64_t inverse = 0;
    std::uint64_t pair = 0;
    for (const Fact& f : dataset[split.split]) {
      const auto any = [&](EntityId subject, EntityId object) {
        return std::any_of(known.begin(), known.end(), [&](const Fact& k) {
          return k != f && k.subject == subject && k.object == object;
        });
      };
      inverse += any(f.object, f.subject) ? 1 : 0;
      pair += any(f.subject, f.object) ? 1 : 0;
    }
    const auto count = static_cast<double>(split.facts);
    RC_ASSERT(split.inverse_known == static_cast<double>(inverse) / count);
    RC_ASSERT(split.pair_known == static_cast<double>(pair) / count);
  }
  const Graph graph = dataset.known_graph();
  std::uint64_t isolated = 0;
  std::uint64_t max = 0;
  for (EntityId e = 0; e < 4; ++e) {
    isolated += graph.edges(e).empty() ? 1 : 0;
    max = std::max<std::uint64_t>(max, graph.edges(e).size());
  }
  RC_ASSERT(stats.degrees.isolated == isolated);
  RC_ASSERT(stats.degrees.max == max);
}

TEST(Stats, FindsTheKnownDefectsOfPublishedData) {
  if (!std::filesystem::exists(shared_dataset("wn18"))) GTEST_SKIP() << "no shared datasets here";
  const Stats wn18 = *statistics(read_plain(shared_dataset("wn18")));
  EXPECT_NEAR(of(wn18, Split::test).inverse_known, 0.94, 0.005);
  EXPECT_NE(to_text(wn18).find("94 % of the test facts have their inverse in training"),
            std::string::npos);

  const Stats wn18rr = *statistics(read_plain(shared_dataset("wn18rr")));
  EXPECT_NEAR(of(wn18rr, Split::test).inverse_known, 0.35, 0.005);
  EXPECT_EQ(of(wn18rr, Split::test).unseen_entity, 210U);

  const Stats family = *statistics(read_plain(shared_dataset("family")));
  EXPECT_TRUE(
      to_text(family).starts_with("family: 3,007 entities, 12 relations, 23,483 facts, "
                                  "2,038 validation, 2,835 test\n"));
  EXPECT_TRUE(family.overlaps.empty());

  const Stats umls = *statistics(read_plain(shared_dataset("umls")));
  EXPECT_EQ(of(umls, Split::test).unseen_relation, 12U);
}

TEST(Transfer, ComparesByName) {
  Dataset learned;
  add_facts(learned, Split::train, "a r b");
  learned.relations.intern("empty");
  Dataset asked;
  add_facts(asked, Split::train, "x empty y\n b new x");
  add_facts(asked, Split::test, "x r y\n x empty b\n y new b\n b new y");
  const Transfer result = transfer(learned, asked);
  EXPECT_EQ(result.shared_entities, 1U);
  EXPECT_EQ(result.shared_relations, 2U);
  EXPECT_EQ(result.new_relations, 2U);
  EXPECT_EQ(result.new_relation_facts, 3U);
  EXPECT_EQ(to_json(result)["new_relation_facts"], 3);
  EXPECT_NE(to_text(result).find("3 test facts are about 2 relations"), std::string::npos);
}

TEST(Transfer, PublishedPairsShareNoEntity) {
  for (const char* name : {"inductive/WN18RR_v1", "inductive/fb237_v1", "inductive/nell_v1"}) {
    const auto folder = shared_dataset(name);
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared datasets here";
    const Transfer result =
        transfer(read_plain(folder), read_plain(shared_dataset(std::string(name) + "_ind")));
    EXPECT_EQ(result.shared_entities, 0U) << name;
    EXPECT_EQ(result.new_relations, 0U) << name;
    EXPECT_GT(result.shared_relations, 0U) << name;
  }
}

TEST(Stats, AreStopped) {
  Dataset dataset;
  dataset.entities.intern("a");
  dataset.relations.intern("r");
  dataset[Split::train] = {{0, 0, 0}};
  std::stop_source source;
  source.request_stop();
  const auto stopped = statistics(dataset, 1, Observer{{}, source.get_token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace lerpp
