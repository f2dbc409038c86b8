// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/kg/dataset.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::TemporaryFolder;
using Files = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string name;
  Files files;
  std::string sentence;
  std::string path = "d";
};

void PrintTo(const Case& test, std::ostream* out) {
  *out << test.name;
}

class LoadError : public testing::TestWithParam<Case> {};

TEST_P(LoadError, IsOneSentence) {
  const TemporaryFolder folder;
  for (const auto& [name, content] : GetParam().files) folder.put(name, content);
  for (const unsigned threads : {1U, 3U}) {
    const auto dataset = load(folder / GetParam().path, {threads, {}});
    EXPECT_EQ(test::sentence(dataset, folder.path().string()), GetParam().sentence);
  }
}

const std::string good = "a\tr\tb\n";
const Files openke_names = {{"d/entity2id.txt", "2\na\t0\nb\t1\n"},
                            {"d/relation2id.txt", "1\nr\t0\n"}};
const Files dicts = {{"d/entities.dict", "0\ta\n1\tb\n"}, {"d/relations.dict", "0\tr\n"}};

Files with(Files files, const std::string& name, const std::string& content) {
  files.emplace_back(name, content);
  return files;
}

INSTANTIATE_TEST_SUITE_P(
    All, LoadError,
    testing::Values(
        Case{"NoPath", {}, "there is no such file or folder (d): check the path"},
        Case{"NoDataset",
             {{"d/x.md", ""}, {"d/one/train.txt", ""}, {"d/two/train2id.txt", ""}, {"d/no/y", ""}},
             "the folder holds no dataset (d): it needs a file of training facts, train.txt (or "
             ".tsv, .csv, .nt, .ttl, .jsonl, .del), train2id.txt or dataset.yaml, or one file of "
             "facts alone; datasets are in its folders one, two"},
        Case{"NoTraining",
             {{"d/test.txt", good}},
             "the folder holds no dataset (d): it needs a file of training facts, train.txt (or "
             ".tsv, .csv, .nt, .ttl, .jsonl, .del), train2id.txt or dataset.yaml, or one file of "
             "facts alone"},
        Case{"TwoFiles",
             {{"d/train.txt", good}, {"d/train.tsv", good}},
             "train.tsv and train.txt both hold the train facts (d): keep one of them in the "
             "folder"},
        Case{
            "TooFewColumns",
            {{"d/train.txt", good + "\n" + good + "a\tr\n" + good}},
            "the line has 2 columns instead of 3 (d/train.txt, line 4): separate subject, relation "
            "and object by tabs"},
        Case{
            "TooManyColumns",
            {{"d/train.txt", "a,r,b\na,r,b,c\n"}},
            "the line has 4 columns instead of 3 (d/train.txt, line 2): separate subject, relation "
            "and object by commas"},
        Case{"OneColumn",
             {{"d/train.txt", "hello\n"}},
             "the line has 1 column instead of 3 (d/train.txt, line 1): separate subject, relation "
             "and object by tabs"},
        Case{"OpenQuote",
             {{"d/train.txt", "a,r,b\n\"a,r,b\n"}},
             "a quoted cell is not closed before the next comma or the end of the line "
             "(d/train.txt, line 2): close it with one \" and double every \" inside it"},
        Case{"EmptyName",
             {{"d/train.txt", good + "a\t\tb\r\n"}},
             "the relation is empty (d/train.txt, line 2): give every fact three names"},
        Case{"NotUtf8",
             {{"d/train.txt", good + "a\tr\t\xC3\x28\n"}},
             "the line is not valid UTF-8 (d/train.txt, line 2): save the file as UTF-8"},
        Case{"EmptyFile",
             {{"d/train.txt", ""}},
             "the file holds no facts (d/train.txt): put facts into it or remove it"},
        Case{"OnlyHeader",
             {{"d/train.txt", "h\tr\tt\n"}},
             "the file holds no facts (d/train.txt): put facts into it or remove it"},
        Case{"CutGzip",
             {{"d/train.txt", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b", 11)}},
             "the gzip data is cut short (d/train.txt): fetch or compress the file again"},
        Case{"CutZstd",
             {{"d/train.txt", std::string("\x28\xb5\x2f\xfd\x24\x06", 6)}},
             "the zstd data is cut short (d/train.txt): fetch or compress the file again"},
        Case{
            "Unlisted",
            {{"d/entities.txt", "a\nb\n"}, {"d/train.txt", good + "a\tr\tc\n"}},
            "the entity 'c' is not listed (d/train.txt, line 2): add it to entities.txt or correct "
            "the line"},
        Case{"UnlistedRelation",
             {{"d/relations.txt", "s\n"}, {"d/train.txt", good}},
             "the relation 'r' is not listed (d/train.txt, line 1): add it to relations.txt or "
             "correct the line"},
        Case{"ListedTwice",
             {{"d/entities.txt", "a\nb\n\na\n"}, {"d/train.txt", good}},
             "the name 'a' is listed twice (d/entities.txt, line 4): remove one of the two"},
        Case{"EmptyList",
             {{"d/entities.txt", "\n"}, {"d/train.txt", good}},
             "the file lists no names (d/entities.txt): put the names into it or remove it"},
        Case{"DictIdTwice",
             {{"d/entities.dict", "0\ta\n0\tb\n"}, {"d/train.txt", good}},
             "the id 0 is given twice (d/entities.dict, line 2): one column must number the names "
             "from 0, each once"},
        Case{"DictIdTooLarge",
             {{"d/entities.dict", "0\ta\n2\tb\n"}, {"d/train.txt", good}},
             "the id 2 is not below the number of names, 2 (d/entities.dict, line 2): one column "
             "must number the names from 0, each once"},
        Case{"DictWithoutId",
             {{"d/entities.dict", "a\n"}, {"d/train.txt", good}},
             "the line does not hold an id and a name (d/entities.dict, line 1): one column must "
             "number the names from 0, each once"},
        Case{"DictFactOutOfRange", with(dicts, "d/train.txt", "0\t0\t1\n0\t0\t2\n"),
             "the entity '0' is not listed (d/train.txt, line 1): add it to entities.dict or "
             "correct the line"},
        Case{"OpenKeCountTooLarge", with(openke_names, "d/train2id.txt", "2\n0 1 0\n"),
             "the first line says 2 facts but 1 follow (d/train2id.txt, line 1): correct the count "
             "or fetch the file again"},
        Case{"OpenKeCountTooSmall", with(openke_names, "d/train2id.txt", "1\n0 1 0\n1 0 0\n"),
             "the first line says 1 facts but 2 follow (d/train2id.txt, line 1): correct the count "
             "or fetch the file again"},
        Case{"OpenKeNoCount", with(openke_names, "d/train2id.txt", "0 1 0\n"),
             "the first line is not a count (d/train2id.txt, line 1): start the file with the "
             "number of lines that follow"},
        Case{"OpenKeOutOfRange", with(openke_names, "d/train2id.txt", "2\n0 1 0\n0 2 0\n"),
             "the entity id '2' is not a number from 0 to 1 (d/train2id.txt, line 3): correct the "
             "line or entity2id.txt"},
        Case{
            "OpenKeRelationOutOfRange", with(openke_names, "d/train2id.txt", "1\n0 1 1\n"),
            "the relation id '1' is not a number from 0 to 0 (d/train2id.txt, line 2): correct the "
            "line or relation2id.txt"},
        Case{
            "OpenKeColumns", with(openke_names, "d/train2id.txt", "1\n0 1\n"),
            "the line has 2 columns instead of 3 (d/train2id.txt, line 2): separate head, tail and "
            "relation by spaces"},
        Case{
            "OpenKeNamesCount",
            {{"d/entity2id.txt", "3\na\t0\n"},
             {"d/relation2id.txt", "1\nr\t0\n"},
             {"d/train2id.txt", "0\n"}},
            "the first line says 3 names but 1 follow (d/entity2id.txt, line 1): correct the count "
            "or fetch the file again"},
        Case{"OpenKeNoNames",
             {{"d/train2id.txt", "0\n"}},
             "entity2id.txt is missing beside train2id.txt (d): add it: it names the ids"},
        Case{
            "LibKgeMissingFile",
            {{"d/dataset.yaml", "files.train.filename: train.del\n"}},
            "files.train.filename names train.del, which is missing (d/dataset.yaml): add the file "
            "or correct its name"},
        Case{"LibKgeNoTrain",
             {{"d/dataset.yaml", "name: x\n"}},
             "files.train.filename is missing (d/dataset.yaml): name the file of the training "
             "facts"},
        Case{"LibKgeBadYaml",
             {{"d/dataset.yaml", "name: x\nwhat\n"}},
             "the line is not of the form key: value (d/dataset.yaml, line 2): write "
             "files.train.filename: train.del and the like"},
        Case{"LibKgeTabs",
             {{"d/dataset.yaml", "files:\n\ttrain: x\n"}},
             "the line is indented by a tab (d/dataset.yaml, line 2): indent by spaces"},
        Case{"Texts",
             {{"d/train.txt", good}, {"d/entity2text.txt", "a\tx\nb x\n"}},
             "the line has 1 column instead of 2 (d/entity2text.txt, line 2): separate name and "
             "text by a tab"},
        Case{"NTriplesEscape",
             {{"d/train.nt", "<x:a> <x:r> <x:b> .\n<x:a> <x:r> \"\\q\" .\n"}},
             "a literal holds a wrong escape (d/train.nt, line 2): write <subject> <predicate> "
             "<object> . on every line"},
        Case{"NTriplesSurrogate",
             {{"d/train.nt", "<x:a> <x:r> <x:b> .\n<x:a> <x:r> <x:\\uD800> .\n"}},
             "an IRI holds a wrong escape (d/train.nt, line 2): write <subject> <predicate> "
             "<object> . on every line"},
        Case{"NTriplesNoStop",
             {{"d/train.nt", "<x:a> <x:r> <x:b> .\n<x:a> <x:r> <x:b>\n"}},
             "the statement does not end with a full stop after three terms (d/train.nt, line 2): "
             "write <subject> <predicate> <object> . on every line"},
        Case{"NTriplesTwoTerms",
             {{"d/train.nt", "<x:a> <x:r> <x:b> .\n<x:a> <x:r> .\n"}},
             "the statement has fewer than three terms (d/train.nt, line 2): write <subject> "
             "<predicate> <object> . on every line"},
        Case{"TurtlePrefix",
             {{"d/train.ttl", "@prefix x: <http://x/> .\nx:a x:r x:b .\n\nx:a y:r x:b .\n"}},
             "the prefix of 'y:r' is not declared (d/train.ttl, line 4): declare it with @prefix"},
        Case{"TurtleNesting",
             {{"d/train.ttl", "@prefix x: <http://x/> .\nx:a x:r " + std::string(600, '(')}},
             "brackets nest more than 500 deep (d/train.ttl): name the inner nodes instead"},
        Case{"NoNamesFile",
             {{"d", "a\tr"}},
             "the line has 2 columns instead of 3 (d, line 1): "
             "separate subject, relation and object by tabs"}),
    [](const testing::TestParamInfo<Case>& test) { return test.param.name; });

TEST(LoadErrors, TurtleSyntaxNamesTheLine) {
  const TemporaryFolder folder;
  const auto file = folder.put("x.ttl", "@prefix x: <http://x/> .\nx:a x:r x:b .\nx:a x:r ] .\n");
  const std::string sentence = test::sentence(load(file), folder.path().string());
  EXPECT_TRUE(sentence.starts_with("the Turtle is not well-formed, ")) << sentence;
  EXPECT_NE(sentence.find(" (x.ttl, line 3): correct the statement"), std::string::npos)
      << sentence;
}

TEST(LoadErrors, MissingNamesFileIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.put("x", good);
  EXPECT_EQ(test::sentence(load(file, {0, folder / "none"}), folder.path().string()),
            "the file cannot be opened, No such file or directory (none): check the path and its "
            "permissions");
}

}  // namespace
}  // namespace lerpp
