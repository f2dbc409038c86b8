// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/kg/dataset.hpp>
#include <lerp/kg/lookup.hpp>

#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::facts_of;
using test::sentence;
using test::TemporaryFolder;
using Lines = std::vector<std::string>;

/// A file, how it is read, and what it must be read to.
struct Case {
  std::string name;
  std::string text;
  Lines facts;
  std::string format;
  Lines notes = {};
  ReadChoices choices = {};
};

void PrintTo(const Case& test, std::ostream* out) {
  *out << test.name;
}

class ReadFormat : public testing::TestWithParam<Case> {};

TEST_P(ReadFormat, GivesTheFacts) {
  const TemporaryFolder folder;
  for (const unsigned threads : {1U, 3U}) {
    LoadOptions options;
    options.threads = threads;
    options.choices = GetParam().choices;
    const auto dataset = load(folder.put("graph.csv", GetParam().text), options);
    ASSERT_TRUE(dataset) << sentence(dataset);
    EXPECT_EQ(facts_of(*dataset), GetParam().facts);
    EXPECT_EQ(dataset->format, GetParam().format);
    EXPECT_EQ(dataset->notes, GetParam().notes);
  }
}

ReadChoices columns(std::string letters) {
  ReadChoices choices;
  choices.columns = std::move(letters);
  return choices;
}

ReadChoices without_header() {
  ReadChoices choices;
  choices.no_header = true;
  return choices;
}

ReadChoices with_literals() {
  ReadChoices choices;
  choices.literals = true;
  return choices;
}

const std::string comma = "three columns, comma separated";
const std::string tab = "three columns, tab separated";
const std::string blank = "three columns, space separated";
const Lines one = {"a r b"};

/// Twenty-four facts of two relations over a few people.
std::string ordinary_facts() {
  std::string text;
  for (int i = 0; i < 24; ++i) {
    text += fmt::format("p{},{},p{}\n", i % 7, i % 2 == 0 ? "likes" : "knows", (i + 1) % 5);
  }
  return text;
}

Lines ordinary_lines(Lines first = {}) {
  for (int i = 0; i < 24; ++i) {
    const std::string line =
        fmt::format("p{} {} p{}", i % 7, i % 2 == 0 ? "likes" : "knows", (i + 1) % 5);
    if (std::find(first.begin(), first.end(), line) == first.end()) first.push_back(line);
  }
  return first;
}

INSTANTIATE_TEST_SUITE_P(
    Header, ReadFormat,
    testing::Values(
        Case{"SourceTargetRelation", "source,target,relation\na,b,r\n", one, comma},
        Case{"SubjectPredicateObject", "Subject,PREDICATE,object\na,r,b\n", one, comma},
        Case{"HeadRelTail", "head,rel,tail\na,r,b\n", one, comma},
        Case{"FromToType", "from;to;type\na;b;r\n", one, "three columns, semicolon separated"},
        Case{"SrcDstLabel", "src|dst|label\na|b|r\n", one, "three columns, bar separated"},
        Case{"RelationFirst", "relation,head,tail\nr,a,b\n", one, comma},
        Case{"Quoted", "\"source\",\"target\",\"relation\"\na,b,r\n", one, comma},
        Case{"BlanksAround", "source, relation, target\na,r,b\n", one, comma},
        Case{"QuotedBetweenTabs", "\"head\"\t\"relation\"\t\"tail\"\na\tr\tb\n", one, tab},
        Case{"Neo4j", ":START_ID(Person),:TYPE,:END_ID(Person)\na,r,b\n", one, comma},
        Case{"AsAComment", "#subject\tpredicate\tobject\na\tr\tb\n", one, tab},
        Case{"AfterComments", "# made by hand\n\n# twice\nhead,tail,relation\na,b,r\n", one, comma},
        Case{"Letters", "h\tr\tt\na\tlikes\tb\n", {"a likes b"}, tab},
        Case{"LettersInAnotherOrder", "h\tt\tr\na\tb\tlikes\n", {"a likes b"}, tab},
        Case{"Weight",
             "subject,predicate,object,weight\na,r,b,0.5\n",
             one,
             comma,
             {"graph.csv: a column is left out: weight"}},
        Case{"Many",
             "id,subject_name,subject,predicate,object,object_name\n1,A,a,r,b,B\n",
             one,
             comma,
             {"graph.csv: columns are left out: id, subject_name, object_name"}},
        Case{"Chosen",
             "drug,disease,effect\na,b,r\n",
             {"drug effect disease", "a r b"},
             comma,
             {},
             columns("s,o,r")},
        Case{"ChosenAndSuspect", "what,thing,type\na,b,r\n", one, comma, {}, columns("s,o,r")}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Fact, ReadFormat,
    testing::Values(
        // What looks like a header in part is a fact as long as its words are used again.
        Case{"LettersAsAFact", "t\tr\th\nh\tr\tt\n", {"t r h", "h r t"}, tab},
        Case{"LettersOfAnotherOrderUsedAgain",
             "h\tt\tr\na\tt\tb\nh\tx\tr\n",
             {"h t r", "a t b", "h x r"},
             tab},
        Case{"RelationCalledType",
             "cat,type,animal\ndog,type,animal\n",
             {"cat type animal", "dog type animal"},
             comma},
        Case{"RelationCalledLabel", "x,label,y\ny,label,x\n", {"x label y", "y label x"}, comma},
        Case{"FirstOfItsRelation",
             "anna,mother,ben\nben,son,anna\n",
             {"anna mother ben", "ben son anna"},
             comma},
        Case{"EndsUsedAgain",
             "source,flows to,target\ntarget,flows to,source\n",
             {"source flows to target", "target flows to source"},
             comma},
        Case{"MixedWordsUsedAgain",
             "source,type,object\nobject,type,thing\n",
             {"source type object", "object type thing"},
             comma},
        Case{"AsSaid",
             "subject,predicate,object\na,r,b\n",
             {"subject predicate object", "a r b"},
             comma,
             {},
             without_header()},
        Case{"EntityUsedAgain", "drug,effect,p1\n" + ordinary_facts(),
             ordinary_lines({"drug effect p1"}), comma},
        Case{"HashTag", "#tag\tr\tb\n#other\tr\tb\n", {"#tag r b", "#other r b"}, tab}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Lines, ReadFormat,
    testing::Values(
        Case{"Comments", "# a note, with commas\na,r,b\n#no fact\n# b,r,c\n", one, comma},
        Case{"CommentsBetweenTabs", "#\n# x\ty\tz\na\tr\tb\n#y\n", one, tab},
        Case{"Semicolons", "a;r;\"b; c\"\n", {"a r b; c"}, "three columns, semicolon separated"},
        Case{"Bars", "a b|r|c, d\n", {"a b r c, d"}, "three columns, bar separated"},
        Case{"FourthColumn",
             "a\tr\tb\t2014-01-01\nb\tr\ta\t\n",
             {"a r b", "b r a"},
             tab,
             {"graph.csv: the fourth column is left out"}},
        Case{"WeightAfterBlanks",
             "a r b 0.5\nb r a 1\n",
             {"a r b", "b r a"},
             blank,
             {"graph.csv: the fourth column is left out"}},
        Case{"ChosenOfFive",
             "1,a,b,r,x\n2,b,a,r,y\n",
             {"a r b", "b r a"},
             comma,
             {},
             columns("-,s,o,r,-")},
        Case{"JsonObjects",
             "{\"subject\": \"a\", \"relation\": \"r\", \"object\": \"b\"}\n\n"
             "{\"object\": \"c \\u00e4\", \"subject\": 7, \"relation\": \"r\"}\n",
             {"a r b", "7 r c ä"},
             "JSON lines"},
        Case{"JsonOtherKeys",
             "{\"source\":\"a\",\"target\":\"b\",\"type\":\"r\",\"weight\":1}\n",
             one,
             "JSON lines",
             {"graph.csv: keys are left out: weight"}},
        Case{"JsonArrays",
             "[\"a\",\"r\",\"b\"]\n[\"b\",\"r\",\"a\"]\n",
             {"a r b", "b r a"},
             "JSON lines"},
        Case{"JsonArraysOfFour",
             "[\"a\",\"r\",\"b\",0.5]\n",
             one,
             "JSON lines",
             {"graph.csv: the fourth value is left out"}}),
    [](const auto& test) { return test.param.name; });

const std::string number = "\"5\"^^<http://www.w3.org/2001/XMLSchema#integer>";
const std::string rdf_xml =
    "<?xml version=\"1.0\"?>\n"
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:ex=\"http://x/\">\n"
    "<rdf:Description rdf:about=\"http://x/a\"><ex:r rdf:resource=\"http://x/b\"/>"
    "<ex:age>7</ex:age></rdf:Description>\n</rdf:RDF>\n";

INSTANTIATE_TEST_SUITE_P(
    Rdf, ReadFormat,
    testing::Values(
        Case{"Quads",
             "<x:a> <x:r> <x:b> <x:g> .\n<x:b> <x:r> <x:a> .\n",
             {"x:a x:r x:b", "x:b x:r x:a"},
             "N-Quads",
             {"the graphs that facts belong to are left out"}},
        Case{
            "LiteralsLeftOut",
            "<x:a> <x:r> <x:b> .\n<x:a> <x:age> " + number + " .\n<x:b> <x:age> " + number + " .\n",
            {"x:a x:r x:b"},
            "N-Triples",
            {"2 facts with a literal (a text, a number, a date) are left out; --literals keeps "
             "them"}},
        Case{"LiteralsKept",
             "<x:a> <x:age> " + number + " .\n",
             {"x:a x:age " + number},
             "N-Triples",
             {},
             with_literals()},
        Case{"TurtleLiteralsLeftOut",
             "@prefix x: <http://x/> .\nx:a x:r x:b ; x:age 5 .\n",
             {"http://x/a http://x/r http://x/b"},
             "Turtle",
             {"a fact with a literal (a text, a number, a date) is left out; --literals keeps "
              "them"}}),
    [](const auto& test) { return test.param.name; });

TEST(RdfXml, IsReadOrNamed) {
  const TemporaryFolder folder;
  const auto dataset = load(folder.put("graph.rdf", rdf_xml));
  if (!dataset) {
    EXPECT_EQ(sentence(dataset, folder.path().string()),
              "this is RDF/XML, which this lerp was built without (graph.rdf): write it as "
              "N-Triples, for example with rapper -o ntriples, or build lerp with libraptor2");
    return;
  }
  EXPECT_EQ(dataset->format, "RDF/XML");
  EXPECT_EQ(facts_of(*dataset), Lines{"http://x/a http://x/r http://x/b"});
  EXPECT_EQ(dataset->entity_label(0), "ex:a");
  const std::string broken = rdf_xml.substr(0, rdf_xml.size() - 12);
  EXPECT_NE(sentence(load(folder.put("broken.rdf", broken))).find("not well-formed"),
            std::string::npos);
}

TEST(Prefixes, ShortenWhatPeopleSee) {
  const TemporaryFolder folder;
  folder.put(
      "d/train.ttl",
      "@prefix ex: <http://x/> . @prefix deep: <http://x/deep/> . @prefix two: <http://y/> .\n"
      "ex:anna ex:mother deep:ben . ex:anna ex:mother two:eve .\n");
  folder.put("d/valid.ttl",
             "@prefix two: <http://z/> .\n<http://y/eve> <http://x/mother> two:a .\n");
  const auto dataset = load(folder / "d");
  ASSERT_TRUE(dataset) << sentence(dataset);
  const auto seen = [&](std::string_view name) {
    return dataset->entity_label(*dataset->entities.find(name));
  };
  EXPECT_EQ(seen("http://x/anna"), "ex:anna");
  EXPECT_EQ(seen("http://x/deep/ben"), "deep:ben");
  EXPECT_EQ(seen("http://y/eve"), "eve");  // "two" means two things
  EXPECT_EQ(dataset->relation_label(0), "ex:mother");
  EXPECT_EQ(find_entity(*dataset, "ex:anna").value(), dataset->entities.find("http://x/anna"));
  EXPECT_EQ(find_relation(*dataset, "ex:mother").value(),
            dataset->relations.find("http://x/mother"));
  EXPECT_EQ(find_entity(*dataset, "eve").value(), dataset->entities.find("http://y/eve"));
}

TEST(Lookup, ABackslashTakesTheMeaningFromAQuestionMark) {
  Dataset dataset;
  dataset.entities.intern("a");
  dataset.entities.intern("?");
  EXPECT_EQ(find_entity(dataset, "\\?").value(), 1U);
  EXPECT_FALSE(find_entity(dataset, "\\b"));
}

TEST(Labels, ControlCharactersAreVisible) {
  Dataset dataset;
  dataset.entities.intern("a\x1b[31m\nb");
  EXPECT_EQ(dataset.entity_label(0), "a\\x1B[31m\\nb");
}

/// A ring of friends: everybody can spare a fact, and one has but one.
std::string friends(int people) {
  std::string text = "loner\tknows\tp0\n";
  for (int i = 0; i < people; ++i) {
    for (int step = 1; step <= 4; ++step) {
      text += fmt::format("p{}\t{}\tp{}\n", i, step < 4 ? "likes" : "knows", (i + step) % people);
    }
  }
  return text + "p1\tonce\tp2\n";
}

TEST(Holdout, LendsValidationFactsWhereThereAreNone) {
  const TemporaryFolder folder;
  const auto path = folder.put("ring.tsv", friends(50));
  LoadOptions options;
  options.choices.holdout = 0.1;
  const auto held = load(path, options);
  const auto whole = load(path);
  ASSERT_TRUE(held && whole);
  // A tenth of each relation, rounded: 15 of 150, 5 of 51, none of 1.
  EXPECT_EQ(held->held_out, 20U);
  EXPECT_EQ((*held)[Split::valid].size(), 20U);
  EXPECT_EQ((*held)[Split::train].size() + 20, (*whole)[Split::train].size());
  const Graph known = held->known_graph();
  for (EntityId entity = 0; entity < held->entities.size(); ++entity) {
    EXPECT_FALSE(known.edges(entity).empty()) << held->entities.name(entity);
  }
  EXPECT_EQ(held->notes,
            Lines{"the data has no splits: 20 of 202 facts are held out for validation; "
                  "--no-holdout learns from all"});
  EXPECT_EQ(load(path, options)->splits, held->splits);
  options.choices.holdout_seed = 2;
  EXPECT_NE(load(path, options)->splits, held->splits);
}

TEST(Holdout, IsForDataWithoutSplits) {
  const TemporaryFolder folder;
  folder.put("d/train.txt", friends(20));
  folder.put("d/valid.txt", "p0\tlikes\tp9\n");
  LoadOptions options;
  options.choices.holdout = 0.1;
  const auto dataset = load(folder / "d", options);
  ASSERT_TRUE(dataset) << sentence(dataset);
  EXPECT_EQ(dataset->held_out, 0U);
  EXPECT_EQ(dataset->choices, ReadChoices{});  // it had no say, so it is not written down
  EXPECT_EQ((*dataset)[Split::valid].size(), 1U);
}

TEST(Holdout, SparesTheLastFactOfEverybody) {
  const TemporaryFolder folder;
  LoadOptions options;
  options.choices.holdout = 0.5;
  const auto dataset =
      load(folder.put("pairs.tsv", "a\tr\tb\nc\tr\td\ne\tr\tf\ng\tr\th\n"), options);
  ASSERT_TRUE(dataset) << sentence(dataset);
  EXPECT_EQ(dataset->held_out, 0U);
  EXPECT_EQ(
      dataset->notes,
      Lines{"the data has no splits, and no fact can be spared for validation: each is the only "
            "one of an entity or a relation"});
}

/// A file that is refused, and the sentence.
struct Refused {
  std::string name;
  std::string bytes;
  std::string sentence;
  ReadChoices choices = {};
};

void PrintTo(const Refused& test, std::ostream* out) {
  *out << test.name;
}

class RefusedFile : public testing::TestWithParam<Refused> {};

TEST_P(RefusedFile, IsNamedForWhatItIs) {
  const TemporaryFolder folder;
  LoadOptions options;
  options.choices = GetParam().choices;
  const auto dataset = load(folder.put("x", GetParam().bytes), options);
  EXPECT_EQ(sentence(dataset, folder.path().string()), GetParam().sentence);
}

const std::string header_remedy =
    "say it with --columns s,r,o (subject, relation, object), or with --no-header that the line is "
    "a "
    "fact";
const std::string facts_remedy = "give a file of facts, such as a CSV";

INSTANTIATE_TEST_SUITE_P(
    All, RefusedFile,
    testing::Values(
        Refused{
            "UnknownHeader", "drug,interaction,disease\na,r,b\n",
            "the first line looks like a header, 'drug, interaction, disease', but does not say "
            "which column is what (x, line 1): " +
                header_remedy},
        Refused{
            "HeaderOfUnknownWords", "drug,effect,disease\n" + ordinary_facts(),
            "the first line looks like a header, 'drug, effect, disease', but does not say which "
            "column is what (x, line 1): " +
                header_remedy},
        Refused{
            "TooManyColumns", "1,a,r,b,x\n2,b,r,a,y\n",
            "the lines have 5 columns instead of 3 (x, line 1): say which are subject, relation "
            "and object with --columns, as in --columns s,r,o,-,-"},
        Refused{
            "ColumnsDoNotFit", "a,r,b\n",
            "--columns names 4 columns, and the lines have 3 (x): give a letter for each column, "
            "- for one to leave out",
            columns("s,r,o,-")},
        Refused{
            "ColumnsWithoutObject", "a,r,b\n",
            "'s,r,x' does not say which column is what, 'x' is no letter: give a letter for each "
            "column, as in --columns s,r,o: s is the subject, r the relation, o the object, - is "
            "left out",
            columns("s,r,x")},
        Refused{"OnlyLiterals", "<x:a> <x:age> " + number + " .\n",
                "the objects of all facts are literals, which are left out (x): keep them with "
                "--literals"},
        Refused{
            "JsonKeys", "{\"a\":\"x\",\"b\":\"y\",\"c\":\"z\"}\n",
            "the keys of the object do not name subject, relation and object, 'a, b, c' (x, line "
            "1): call them subject, relation and object, or head, relation, tail"},
        Refused{"JsonDocument", "[\n  {\"subject\": \"a\"}\n]\n",
                "this is one JSON document (x): write one fact a line, as {\"subject\": …, "
                "\"relation\": …, \"object\": …}"},
        Refused{"JsonLd", "{\"@context\": {}}\n",
                "this is JSON-LD (x): write it as N-Triples, for example with riot --output=nt"},
        Refused{"Pdf", "%PDF-1.7\n", "this is a PDF document (x): " + facts_remedy},
        Refused{"Parquet", std::string("PAR1\x15\x04", 6) + "PAR1",
                "this is a Parquet file (x): write it as CSV, for example with DuckDB: COPY (FROM "
                "'x.parquet') TO 'x.csv'"},
        Refused{"Sqlite", std::string("SQLite format 3\0", 16),
                "this is an SQLite database (x): write the table as CSV: sqlite3 -header -csv x.db "
                "'SELECT …' > x.csv"},
        Refused{"Html", "\n<!DOCTYPE html><html>",
                "this is an HTML page (x): fetch the file itself, not the page that shows it"},
        Refused{"OldExcel", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
                "this is an old Excel or Word file (x): save the table as CSV, with the columns "
                "subject, relation and object"},
        Refused{"Utf16",
                "\xFF\xFE"
                "a",
                "this is a text in UTF-16 (x): save it as UTF-8"},
        Refused{"Xml", "<?xml version=\"1.0\"?><table/>",
                "this is an XML file (x): write its facts as CSV or N-Triples"}),
    [](const auto& test) { return test.param.name; });

TEST(RefusedFile, IsNoNameThatStartsLikeOne) {
  const TemporaryFolder folder;
  EXPECT_TRUE(load(folder.put("genes", "PAR1\tbinds\tORC\n")));
  EXPECT_TRUE(load(folder.put("orcs", "ORC\tkin of\tPAR1\n")));
  EXPECT_TRUE(load(folder.put("zips", "BZh\tr\tPK\n")));
}

TEST(Folder, OfOneFileIsThatFile) {
  for (const std::string name : {"facts.csv", "graph.tsv", "data.jsonl", "edges.txt", "kg"}) {
    const TemporaryFolder folder;
    folder.put("bio/README.txt", "about");
    folder.put("bio/SOURCE.txt", "about");
    folder.put("bio/" + name, name == "data.jsonl" ? "[\"a\",\"r\",\"b\"]\n" : "a\tr\tb\n");
    const auto dataset = load(folder / "bio");
    ASSERT_TRUE(dataset) << sentence(dataset);
    EXPECT_EQ(dataset->name, "bio");
    EXPECT_EQ(facts_of(*dataset), one);
  }
  const TemporaryFolder folder;
  folder.put("two/a.csv", "a,r,b\n");
  folder.put("two/b.csv", "a,r,b\n");
  EXPECT_FALSE(load(folder / "two"));
}

TEST(Folder, DescriptionStaysInside) {
  const TemporaryFolder folder;
  folder.put("secret", "0\t0\t0\n");
  for (const std::string name : {"../secret", "x/../../secret", "/etc/passwd"}) {
    folder.put("d/dataset.yaml", "files.train.filename: " + name + "\n");
    EXPECT_EQ(
        sentence(load(folder / "d"), folder.path().string()),
        "files.train.filename names " + name +
            ", which is outside of the folder (d/dataset.yaml): put the file into the folder");
  }
}

}  // namespace
}  // namespace lerpp
