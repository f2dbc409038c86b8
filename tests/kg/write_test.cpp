// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/dataset.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::facts_of;
using test::names_of;
using test::slurp;
using test::TemporaryFolder;

Dataset small() {
  Dataset dataset;
  for (const auto* name : {"unused", "h", "t t"}) dataset.entities.intern(name);
  for (const auto* name : {"idle", "r"}) dataset.relations.intern(name);
  dataset[Split::train] = {{1, 1, 2}};
  dataset[Split::test] = {{2, 1, 1}};
  dataset.entity_texts[2] = "the tail";
  return dataset;
}

TEST(Write, TsvIsANeuralLpFolder) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_dataset(small(), folder / "out"));
  EXPECT_EQ(slurp(folder / "out/train.txt"), "h\tr\tt t\n");
  EXPECT_EQ(slurp(folder / "out/test.txt"), "t t\tr\th\n");
  EXPECT_EQ(slurp(folder / "out/entities.txt"), "unused\nh\nt t\n");
  EXPECT_EQ(slurp(folder / "out/relations.txt"), "idle\nr\n");
  EXPECT_EQ(slurp(folder / "out/entity2text.txt"), "t t\tthe tail\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/valid.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/relation2text.txt"));
  EXPECT_EQ(load(folder / "out")->format, "Neural-LP");
}

TEST(Write, NTriplesEncodeNames) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_dataset(small(), folder / "out", WriteFormat::ntriples));
  EXPECT_EQ(slurp(folder / "out/train.nt"),
            "<urn:lerp:h> <urn:lerp:r> <urn:lerp:t%20t> .\n"
            "<urn:lerp:t%20t> <http://www.w3.org/2000/01/rdf-schema#label> \"the tail\" .\n");
}

TEST(Write, RefusesWhatTsvCannotHold) {
  const TemporaryFolder folder;
  Dataset dataset = small();
  dataset.entities.intern("a\tb");
  EXPECT_EQ(test::sentence(write_dataset(dataset, folder / "out")),
            "the name \"a\\tb\" holds a tab or a line end: write N-Triples, which can hold it");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_TRUE(write_dataset(dataset, folder / "out", WriteFormat::ntriples));
  dataset.entities.intern("\xFF");
  EXPECT_EQ(test::sentence(write_dataset(dataset, folder / "more", WriteFormat::ntriples)),
            "the name of number 4 is not valid UTF-8: convert the names to UTF-8");
}

TEST(Write, RefusesATakenNameAndStopsWithoutATrace) {
  const TemporaryFolder folder;
  folder.put("out/file", "mine");
  EXPECT_EQ(test::sentence(write_dataset(small(), folder / "out"), folder.path().string()),
            "the name is taken (out): remove it or choose another name");
  std::stop_source source;
  source.request_stop();
  const auto stopped =
      write_dataset(small(), folder / "more", WriteFormat::tsv, Observer{{}, source.get_token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

/// Names of every kind that has to survive.
rc::Gen<std::string> any_name() {
  return rc::gen::oneOf(
      rc::gen::element<std::string>("h", "r", "t", "head", "\xEF\xBB\xBF", "0", "http://x/a",
                                    "urn:lerp:a", "urn:lerp:%41", "_:b", "_:b.", "\"x\"@en", "\"x",
                                    "<a>", "#", "ü€", " ", "a,b", "%", "\"a\\\"b\"^^<x:y>",
                                    "http://www.w3.org/2000/01/rdf-schema#label", "x:\\u0041"),
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange(' ', '\x7F'))));
}

Dataset any_dataset() {
  Dataset dataset;
  for (const auto& name :
       *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(any_name()))) {
    dataset.entities.intern(name);
  }
  for (const auto& name :
       *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(any_name()))) {
    dataset.relations.intern(name);
  }
  const auto fact = [&] {
    return Fact{*rc::gen::inRange<EntityId>(0, dataset.entities.size()),
                *rc::gen::inRange<RelationId>(0, dataset.relations.size()),
                *rc::gen::inRange<EntityId>(0, dataset.entities.size())};
  };
  for (const Split split : all_splits) {
    const int count = *rc::gen::inRange(split == Split::train ? 1 : 0, 6);
    for (int i = 0; i < count; ++i) dataset[split].push_back(fact());
    remove_repeated(dataset[split], dataset.entities.size());
  }
  return dataset;
}

RC_GTEST_PROP(Write, TsvRoundTripKeepsIdsFactsAndTexts, ()) {
  Dataset dataset = any_dataset();
  dataset.entity_texts[0] = *any_name();
  dataset.relation_texts[0] = *any_name();
  const TemporaryFolder folder;
  RC_ASSERT(write_dataset(dataset, folder / "out").has_value());
  const auto again = load(folder / "out");
  if (!again) RC_FAIL(test::sentence(again));
  RC_ASSERT(names_of(again->entities) == names_of(dataset.entities));
  RC_ASSERT(names_of(again->relations) == names_of(dataset.relations));
  RC_ASSERT(again->splits == dataset.splits);
  RC_ASSERT(again->entity_texts == dataset.entity_texts);
  RC_ASSERT(again->relation_texts == dataset.relation_texts);
}

RC_GTEST_PROP(Write, NTriplesRoundTripKeepsFacts, ()) {
  Dataset dataset = any_dataset();
  const EntityId subject = dataset[Split::train].front().subject;
  dataset.entity_texts[subject] = *any_name();
  const TemporaryFolder folder;
  RC_ASSERT(write_dataset(dataset, folder / "out", WriteFormat::ntriples).has_value());
  LoadOptions options;
  options.choices.literals = true;  // names may be spelled like literals
  const auto again = load(folder / "out", options);
  if (!again) RC_FAIL(test::sentence(again));
  for (const Split split : all_splits) {
    RC_ASSERT(facts_of(*again, split) == facts_of(dataset, split));
  }
  const auto id = again->entities.find(dataset.entities.name(subject));
  RC_ASSERT(id.has_value());
  RC_ASSERT(again->entity_texts.at(*id) == dataset.entity_texts.at(subject));
}

}  // namespace
}  // namespace lerpp
