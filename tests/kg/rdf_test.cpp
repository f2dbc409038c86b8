// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/kg/dataset.hpp>

#include "kg/terms.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

namespace lerpp {
namespace {

using test::facts_of;
using test::TemporaryFolder;
using Lines = std::vector<std::string>;

Dataset must_read(std::string_view text, bool literals = true) {
  const TemporaryFolder folder;
  LoadOptions options;
  options.choices.literals = literals;
  auto dataset = load(folder.put("graph", text), options);
  EXPECT_TRUE(dataset) << test::sentence(dataset);
  return dataset ? std::move(*dataset) : Dataset{};
}

TEST(NTriples, NamesAreIrisBlankNodesAndLiterals) {
  const Dataset dataset = must_read(
      "# a comment\n"
      "<http://x/a> <http://x/r> <http://x/b> . # another\n"
      "\n"
      "  <http://x/\\u00e4>\t<http://x/r>\t_:n1.\n"
      "_:n1 <http://x/r> \"say \\\"hi\\\"\\n\\u0041\"@en-GB .\r\n"
      "_:n1 <http://x/r> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"
      "_:n1<http://x/r>\"tab\there\"^^<http://www.w3.org/2001/XMLSchema#string>.\n");
  EXPECT_EQ(dataset.format, "N-Triples");
  EXPECT_EQ(facts_of(dataset),
            (Lines{"http://x/a http://x/r http://x/b", "http://x/ä http://x/r _:n1",
                   "_:n1 http://x/r \"say \\\"hi\\\"\\nA\"@en-GB",
                   "_:n1 http://x/r \"5\"^^<http://www.w3.org/2001/XMLSchema#integer>",
                   "_:n1 http://x/r \"tab\\there\""}));
}

TEST(NTriples, LabelsAreTexts) {
  const Dataset dataset = must_read(
      "<x:a> <http://www.w3.org/2000/01/rdf-schema#label> \"das A\"@de .\n"
      "<x:a> <http://www.w3.org/2000/01/rdf-schema#label> \"the \\\"A\\\"\"@en .\n"
      "<x:a> <http://www.w3.org/2000/01/rdf-schema#label> \"later\" .\n"
      "<x:r> <http://www.w3.org/2004/02/skos/core#prefLabel> \"goes to\" .\n"
      "<x:unused> <http://www.w3.org/2000/01/rdf-schema#label> \"nothing\" .\n"
      "<x:a> <x:r> <x:b> .\n");
  EXPECT_EQ(facts_of(dataset), (Lines{"x:a x:r x:b"}));
  EXPECT_EQ(dataset.entity_texts, (std::unordered_map<EntityId, std::string>{{0, "the \"A\""}}));
  EXPECT_EQ(dataset.relation_texts.at(0), "goes to");
}

TEST(NTriples, ColumnsInBracketsAreNotNTriples) {
  const Dataset dataset = must_read("<a>\t<r>\t<b>\n<b>\t<r>\t<a>\n");
  EXPECT_EQ(dataset.format, "three columns, tab separated");
  EXPECT_EQ(facts_of(dataset), (Lines{"<a> <r> <b>", "<b> <r> <a>"}));
}

TEST(Turtle, IsTheSameGraph) {
  const Dataset dataset = must_read(
      "# a comment\n"
      "@prefix x: <http://x/> .\n"
      "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
      "@base <http://base/> .\n"
      "x:a x:r x:b , x:c ; a x:Thing ;\n"
      "   rdfs:label \"the A\"@en .\n"
      "<rel> x:r \"5\"^^x:int, 7, true, \"\"\"two\nlines\"\"\", _:n .\n");
  EXPECT_EQ(dataset.format, "Turtle");
  EXPECT_EQ(
      facts_of(dataset),
      (Lines{"http://x/a http://x/r http://x/b", "http://x/a http://x/r http://x/c",
             "http://x/a http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://x/Thing",
             "http://base/rel http://x/r \"5\"^^<http://x/int>",
             "http://base/rel http://x/r \"7\"^^<http://www.w3.org/2001/XMLSchema#integer>",
             "http://base/rel http://x/r \"true\"^^<http://www.w3.org/2001/XMLSchema#boolean>",
             "http://base/rel http://x/r \"two\\nlines\"", "http://base/rel http://x/r _:n"}));
  EXPECT_EQ(dataset.entity_texts.at(0), "the A");
}

TEST(Turtle, MayGoOnOverLinesWithoutPrefixes) {
  const Dataset dataset = must_read("<x:a>\n  <x:r> <x:b> ;\n  <x:s> [ <x:r> <x:c> ] .\n");
  EXPECT_EQ(dataset.format, "Turtle");
  EXPECT_EQ(dataset[Split::train].size(), 3U);
}

TEST(Terms, OtherNamesAreEncoded) {
  const auto spelled = [](std::string_view name, formats::TermPlace place) {
    std::string out;
    formats::write_term(name, place, out);
    return out;
  };
  using formats::TermPlace;
  EXPECT_EQ(spelled("http://x/a", TermPlace::subject), "<http://x/a>");
  EXPECT_EQ(spelled("/m/06rf7", TermPlace::subject), "<urn:lerp:/m/06rf7>");
  EXPECT_EQ(spelled("ann bell", TermPlace::subject), "<urn:lerp:ann%20bell>");
  EXPECT_EQ(spelled("urn:lerp:x", TermPlace::subject), "<urn:lerp:urn:lerp:x>");
  EXPECT_EQ(spelled("_:x", TermPlace::object), "_:x");
  EXPECT_EQ(spelled("_:x", TermPlace::predicate), "<urn:lerp:_:x>");
  EXPECT_EQ(spelled("_:x.", TermPlace::object), "<urn:lerp:_:x.>");
  EXPECT_EQ(spelled("\"x\"@en", TermPlace::object), "\"x\"@en");
  EXPECT_EQ(spelled("\"x\"@en", TermPlace::subject), "<urn:lerp:%22x%22%40en>");
  EXPECT_EQ(spelled("\"x", TermPlace::object), "<urn:lerp:%22x>");
}

}  // namespace
}  // namespace lerpp
