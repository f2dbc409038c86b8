// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/kg/dataset.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::facts_of;
using test::names_of;
using test::TemporaryFolder;
using Lines = std::vector<std::string>;

/// Loads, or fails the test with the sentence.
Dataset must_load(const std::filesystem::path& path, const LoadOptions& options = {}) {
  auto dataset = load(path, options);
  EXPECT_TRUE(dataset) << test::sentence(dataset);
  return dataset ? std::move(*dataset) : Dataset{};
}

TEST(Load, ReadsColumnsSeparatedByTabs) {
  const TemporaryFolder folder;
  folder.put("family/train.txt", "ann bell\tmother of\tbob, jr\nbob, jr\tson\tann bell\n");
  folder.put("family/README", "not data");
  const Dataset dataset = must_load(folder / "family");
  EXPECT_EQ(dataset.name, "family");
  EXPECT_EQ(dataset.format, "three columns, tab separated");
  EXPECT_EQ(names_of(dataset.entities), (Lines{"ann bell", "bob, jr"}));
  EXPECT_EQ(names_of(dataset.relations), (Lines{"mother of", "son"}));
  EXPECT_EQ(dataset[Split::train], (std::vector<Fact>{{0, 0, 1}, {1, 1, 0}}));
}

TEST(Load, KeepsBlanksInTabColumns) {
  const TemporaryFolder folder;
  const Dataset dataset = must_load(folder.put("x.tsv", " a \tr\tb\n"));
  EXPECT_EQ(names_of(dataset.entities), (Lines{" a ", "b"}));
}

TEST(Load, ReadsColumnsSeparatedByCommas) {
  const TemporaryFolder folder;
  const Dataset dataset = must_load(
      folder.put("x.csv", "Head,Relation,Tail\r\n\"a, \"\"b\"\"\",r,\"c\"\r\n\r\nc,r,d e\r\n"));
  EXPECT_EQ(dataset.name, "x");
  EXPECT_EQ(dataset.format, "three columns, comma separated");
  EXPECT_EQ(facts_of(dataset), (Lines{"a, \"b\" r c", "c r d e"}));
}

TEST(Load, ReadsColumnsSeparatedByBlanks) {
  const TemporaryFolder folder;
  const Dataset dataset = must_load(folder.put("x", "  a   r \t b \n\n   \nc r d"));
  EXPECT_EQ(dataset.format, "three columns, space separated");
  EXPECT_EQ(facts_of(dataset), (Lines{"a r b", "c r d"}));
}

TEST(Load, SkipsByteOrderMarkAndHeader) {
  for (const std::string header : {"head\trelation\ttail", "SUBJECT\tPredicate\tobject", "h\tr\tt",
                                   "s\tp\to", "source\trelation\ttarget"}) {
    const TemporaryFolder folder;
    const Dataset dataset = must_load(folder.put("x", "\xEF\xBB\xBF\n" + header + "\na\tr\tb\n"));
    EXPECT_EQ(facts_of(dataset), (Lines{"a r b"})) << header;
  }
}

TEST(Load, CountsAndDropsRepeatedFacts) {
  const TemporaryFolder folder;
  folder.put("train.txt", "a\tr\tb\nb\tr\ta\na\tr\tb\na\tr\tb\n");
  folder.put("test.txt", "a\tr\tb\n");
  const Dataset dataset = must_load(folder.path());
  EXPECT_EQ(facts_of(dataset), (Lines{"a r b", "b r a"}));
  EXPECT_EQ(dataset.repeated, (std::array<std::uint64_t, 4>{0, 2, 0, 0}));
  EXPECT_EQ(facts_of(dataset, Split::test), (Lines{"a r b"}));
}

TEST(Load, FindsSplitsByStem) {
  const TemporaryFolder folder;
  folder.put("training.tsv", "a\tr\tb\n");
  folder.put("dev.csv", "a,r,c\n");
  folder.put("testing", "a r d\n");
  folder.put("facts.nt", "<x:a> <x:r> <x:e> .\n");
  const Dataset dataset = must_load(folder.path());
  EXPECT_EQ(facts_of(dataset, Split::facts), (Lines{"x:a x:r x:e"}));
  EXPECT_EQ(facts_of(dataset, Split::train), (Lines{"a r b"}));
  EXPECT_EQ(facts_of(dataset, Split::valid), (Lines{"a r c"}));
  EXPECT_EQ(facts_of(dataset, Split::test), (Lines{"a r d"}));
}

TEST(Load, NeuralLpKeepsTheOrderOfItsLists) {
  const TemporaryFolder folder;
  folder.put("entities.txt", "lonely\nh\nt\n");
  folder.put("relations.txt", "unused\nr\n");
  folder.put("facts.txt", "t\tr\th\n");
  // Reads like a header, but these are listed names.
  folder.put("train.txt", "h\tr\tt\n");
  const Dataset dataset = must_load(folder.path());
  EXPECT_EQ(dataset.format, "Neural-LP");
  EXPECT_EQ(names_of(dataset.entities), (Lines{"lonely", "h", "t"}));
  EXPECT_EQ(dataset[Split::train], (std::vector<Fact>{{1, 1, 2}}));
  EXPECT_EQ(dataset[Split::facts], (std::vector<Fact>{{2, 1, 1}}));
}

TEST(Load, RnnLogicDictsGoEitherWay) {
  for (const bool id_first : {true, false}) {
    const TemporaryFolder folder;
    folder.put("entities.dict", id_first ? "1\tb b\n0\ta\n" : "b b\t1\na\t0\n");
    folder.put("relations.tsv", id_first ? "0\tr\n" : "r\t0\n");
    folder.put("train.txt", "a\tr\tb b\n");
    const Dataset dataset = must_load(folder.path());
    EXPECT_EQ(dataset.format, "RNNLogic");
    EXPECT_EQ(names_of(dataset.entities), (Lines{"a", "b b"}));
    EXPECT_EQ(facts_of(dataset), (Lines{"a r b b"}));
  }
}

TEST(Load, DictsMayGoWithFactsByNumber) {
  const TemporaryFolder folder;
  folder.put("entities.dict", "0\ta\n1\tb\n");
  folder.put("relations.dict", "0\tr\n");
  folder.put("train.txt", "1\t0\t0\n");
  EXPECT_EQ(facts_of(must_load(folder.path())), (Lines{"b r a"}));
}

TEST(Load, NamesThatAreNumbersAreNames) {
  const TemporaryFolder folder;
  folder.put("entities.txt", "1\n0\n");
  folder.put("relations.txt", "0\n");
  folder.put("train.txt", "1\t0\t0\n");
  EXPECT_EQ(must_load(folder.path())[Split::train], (std::vector<Fact>{{0, 0, 1}}));
}

TEST(Load, ReadsOpenKe) {
  const TemporaryFolder folder;
  folder.put("entity2id.txt", "3\nb\t1\na\t0\nc d\t2\n");
  folder.put("relation2id.txt", "2\r\nr 0\r\ns 1\r\n");
  folder.put("train2id.txt", "2\n0 1 1\n2\t0\t0\n");
  folder.put("test2id.txt", "1\n1 1 0\n");
  const Dataset dataset = must_load(folder.path());
  EXPECT_EQ(dataset.format, "OpenKE");
  EXPECT_EQ(facts_of(dataset), (Lines{"a s b", "c d r a"}));
  EXPECT_EQ(facts_of(dataset, Split::test), (Lines{"b r b"}));
}

TEST(Load, ReadsLibKgeFlatAndNested) {
  const std::string flat =
      "dataset:\n"
      "  files.entity_ids.filename: entity_ids.del\n"
      "  files.relation_ids.filename: 'relation_ids.del'  # a comment\n"
      "  files.entity_strings.filename: strings.del\n"
      "  files.train.filename: train_sample.del\n"
      "  files.valid.filename: valid.del\n"
      "  name: toy\n";
  const std::string nested =
      "---\n"
      "# nested\n"
      "files:\n"
      "  entity_ids: \n"
      "    filename: entity_ids.del\n"
      "  relation_ids:\n"
      "    filename: \"relation_ids.del\"\n"
      "  entity_strings:\n"
      "    filename: strings.del\n"
      "    type: map\n"
      "  train:\n"
      "    filename: train_sample.del\n"
      "  valid:\n"
      "    filename: valid.del\n"
      "num_entities: 2\n";
  for (const std::string& yaml : {flat, nested}) {
    const TemporaryFolder folder;
    folder.put("toy/dataset.yaml", yaml);
    folder.put("toy/entity_ids.del", "0\ta\n1\tb\n");
    folder.put("toy/relation_ids.del", "0\tr\n");
    folder.put("toy/strings.del", "1\tthe second\n");
    folder.put("toy/train_sample.del", "0\t0\t1\n");
    folder.put("toy/train.del", "garbage that is not named\n");
    folder.put("toy/valid.del", "1\t0\t0\n");
    const Dataset dataset = must_load(folder / "toy");
    EXPECT_EQ(dataset.format, "LibKGE");
    EXPECT_EQ(facts_of(dataset), (Lines{"a r b"}));
    EXPECT_EQ(facts_of(dataset, Split::valid), (Lines{"b r a"}));
    EXPECT_EQ(dataset.entity_texts.at(1), "the second");
  }
}

TEST(Load, LibKgeStringsMayGoByName) {
  const TemporaryFolder folder;
  folder.put("dataset.yaml",
             "files.train.filename: train.del\nfiles.entity_strings.filename: s.del\n"
             "files.entity_strings.type: idmap\n");
  folder.put("entity_ids.del", "0\t1\n1\t0\n");
  folder.put("relation_ids.del", "0\tr\n");
  folder.put("train.del", "0\t0\t1\n");
  folder.put("s.del", "1\tfirst\n");
  EXPECT_EQ(must_load(folder.path()).entity_texts.at(0), "first");
}

TEST(Load, LibKgeWorksWithoutItsDescription) {
  const TemporaryFolder folder;
  folder.put("entity_ids.del", "0\ta\n1\tb\n");
  folder.put("relation_ids.del", "0\tr\n");
  folder.put("train.del", "0\t0\t1\n");
  const Dataset dataset = must_load(folder.path());
  EXPECT_EQ(dataset.format, "LibKGE");
  EXPECT_EQ(facts_of(dataset), (Lines{"a r b"}));
}

TEST(Load, ReadsTexts) {
  const TemporaryFolder folder;
  folder.put("d/train.txt", "a\tr\tb\n");
  folder.put("d/entity2text.txt", "a\tthe letter a\nnobody\tx\nb\t\n");
  folder.put("d/relation2text.txt", "r\tis before\n");
  const Dataset dataset = must_load(folder / "d");
  EXPECT_EQ(dataset.entity_texts, (std::unordered_map<EntityId, std::string>{{0, "the letter a"}}));
  EXPECT_EQ(dataset.relation_texts.at(0), "is before");
  const auto names = folder.put("names.txt", "b\tthe letter b\nr\tprecedes\n");
  const Dataset named = must_load(folder / "d", {0, names});
  EXPECT_EQ(named.entity_label(0), "the letter a");
  EXPECT_EQ(named.entity_label(1), "the letter b");
  EXPECT_EQ(named.relation_label(0), "precedes");
}

TEST(Load, NamesTheDatasetAfterItsFolderOrFile) {
  const TemporaryFolder folder;
  folder.put("toy.v1/train.txt", "a\tr\tb\n");
  EXPECT_EQ(must_load(folder / "toy.v1").name, "toy.v1");
  EXPECT_EQ(must_load(folder / "toy.v1/").name, "toy.v1");
  EXPECT_EQ(must_load(folder / "toy.v1/.").name, "toy.v1");
  EXPECT_EQ(must_load(folder.put("graph.nt", "<x:a> <x:b> <x:c> .")).name, "graph");
}

TEST(Load, ShowsTheLastPartOfAnIriOnly) {
  const TemporaryFolder folder;
  const Dataset dataset = must_load(folder.put(
      "x", "http://x.org/a#b\t/people/person/x\t/m/06rf7\nhttp://x.org/c\tr\thttp://x.org/\n"));
  EXPECT_EQ(dataset.entity_label(0), "b");
  EXPECT_EQ(dataset.entity_label(1), "/m/06rf7");
  EXPECT_EQ(dataset.entity_label(2), "c");
  EXPECT_EQ(dataset.entity_label(3), "http://x.org/");
  EXPECT_EQ(dataset.relation_label(0), "/people/person/x");
}

TEST(Load, ReportsProgressAndStops) {
  const TemporaryFolder folder;
  const auto file = folder.put("x", "a\tr\tb\n");
  std::uint64_t done = 0;
  Observer observer;
  observer.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "reading");
    EXPECT_EQ(progress.total, 6U);
    done = progress.done;
  };
  EXPECT_TRUE(load(file, {}, observer));
  EXPECT_EQ(done, 6U);
  std::stop_source source;
  source.request_stop();
  observer.stop = source.get_token();
  const auto stopped = load(file, {}, observer);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);

  std::vector<Fact> facts = {{0, 0, 1}, {0, 0, 1}};
  EXPECT_EQ(remove_repeated(facts, 2, 1, observer), 0U);
  EXPECT_EQ(facts.size(), 2U);
}

}  // namespace
}  // namespace lerpp
