// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lerp/logic/english.hpp>

#include "support/describe.hpp"

namespace lerpp {
namespace {

Vocabulary vocabulary(const std::vector<std::string>& names) {
  Vocabulary result;
  for (const std::string& name : names) result.intern(name);
  return result;
}

const Vocabulary relations = vocabulary({"mother", "son", "sister", "brother", "uncle", "_lives_in",
                                         "/people/person/nationality", "has_part", "born_in"});
const Vocabulary entities = vocabulary({"anna"});

std::string english(const char* rule, NounOf noun = NounOf::subject) {
  const auto parsed = parse_rule(rule, {relations, entities});
  return parsed ? to_english(*parsed, {relations, entities}, noun) : test::sentence(parsed);
}

std::string of_x(const char* text) {
  const auto parsed = parse_formula(text, {relations, entities});
  return parsed ? to_english(*parsed, {relations, entities}) : test::sentence(parsed);
}

TEST(English, SaysRules) {
  EXPECT_EQ(english("mother(z1,x) ∧ son(y,z1) ∧ ¬∃z2 sister(z2,x) ⇒ brother(y,x)"),
            "y is x's brother if some z1 is a mother of x, y is a son of z1, and x has no sister");
  EXPECT_EQ(english("brother(x,y) ∧ ∃w son(x,w) ⇒ _lives_in(y,x)"),
            "y lives in x if x is a brother of y and x is a son of something");
  EXPECT_EQ(english("has_part(x,y) ⇒ born_in(x,y)"), "x is born in y if y is a part of x");
  EXPECT_EQ(english("true ⇒ uncle(x,y)"), "x is y's uncle always");
  EXPECT_EQ(english("x = y ⇒ uncle(x,y)"), "x is y's uncle if x and y are the same");
  EXPECT_EQ(english("uncle(x,y) ⇒ /people/person/nationality(x,y)", NounOf::object),
            "y is x's nationality if y is an uncle of x");
}

/// A relation, what is said with it as r, and how that reads.
struct Row {
  const char* name;
  const char* statement;
  const char* reading;
};

/// An atom `r(x,y)` is the head of a rule; all else is a formula.
std::string reading_of(const Row& row) {
  // Names may hold anything, so the statement is parsed with a plain one.
  const Vocabulary plain = vocabulary({"r"});
  const Vocabulary one = vocabulary({row.name});
  const Vocabulary things = vocabulary({"anna", "entity", "Gene"});
  if (std::string_view(row.statement) == "r(x,y)") {
    const std::string text = to_english(path_rule(0, {}), {one, things});
    return text.substr(0, text.find(" if x and y are the same"));
  }
  const auto parsed = parse_formula(row.statement, {plain, things});
  return parsed ? to_english(*parsed, {one, things}) : test::sentence(parsed);
}

TEST(English, ReadsTheNamesOfManyGraphs) {
  const Row rows[] = {
      {"mother", "r(x,y)", "x is y's mother"},
      {"boss", "r(x,y)", "x is y's boss"},
      {"status", "r(x,y)", "x is y's status"},
      {"uncle", "∃z r(x,z)", "x is an uncle of something"},
      {"uncle", "¬∃z r(x,z)", "x is not an uncle of anything"},
      {"uncle", "∃z r(z,x)", "x has an uncle"},
      {"uncle", "¬∃z r(z,x)", "x has no uncle"},
      {"uncle", "r(x,anna)", "x is an uncle of anna"},
      {"uncle", "¬r(x,anna)", "x is not an uncle of anna"},
      {"uncle", "¬(∃z r(x,z) ∨ ∃z r(z,x))", "x is not an uncle of anything and x has no uncle"},
      {"affects", "r(x,y)", "x affects y"},
      {"affects", "¬∃z r(x,z)", "x does not affect anything"},
      {"affects", "¬∃z r(z,x)", "nothing affects x"},
      {"affects", "∃z r(x,z)", "x affects something"},
      {"interacts_with", "r(x,y)", "x interacts with y"},
      {"interacts_with", "¬∃z r(x,z)", "x does not interact with anything"},
      {"co-occurs_with", "¬∃z r(x,z)", "x does not co-occur with anything"},
      {"carries_out", "r(x,y)", "x carries out y"},
      {"carries_out", "¬∃z r(x,z)", "x does not carry out anything"},
      {"assesses_effect_of", "r(x,y)", "x assesses effect of y"},
      {"assesses_effect_of", "¬∃z r(x,z)", "x does not assess effect of anything"},
      {"produces", "¬∃z r(x,z)", "x does not produce anything"},
      {"consists_of", "r(x,y)", "x consists of y"},
      {"part_of", "r(x,y)", "x is part of y"},
      {"part_of", "¬∃z r(x,z)", "x is not part of anything"},
      {"location_of", "r(x,y)", "x is the location of y"},
      {"location_of", "¬∃z r(z,x)", "nothing is the location of x"},
      {"process_of", "r(x,y)", "x is the process of y"},
      {"associated_with", "r(x,y)", "x is associated with y"},
      {"adjacent_to", "¬∃z r(x,z)", "x is not adjacent to anything"},
      {"composed_of", "r(x,y)", "x is composed of y"},
      {"caused_by", "r(x,y)", "x is caused by y"},
      {"conceptually_related_to", "r(x,y)", "x is conceptually related to y"},
      {"isa", "r(x,y)", "x is a kind of y"},
      {"isa", "¬∃z r(x,z)", "x is not a kind of anything"},
      {"isa", "r(x,entity)", "x is an entity"},
      {"isa", "¬r(x,entity)", "x is not an entity"},
      {"is_a", "∃z r(z,x)", "something is a kind of x"},
      {"rdf:type", "r(x,Gene)", "x is a Gene"},
      {"rdf:type", "r(x,y)", "x is an instance of y"},
      {"http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "¬∃z r(x,z)",
       "x is not an instance of anything"},
      {"rdfs:subClassOf", "r(x,Gene)", "x is a Gene"},
      {"instance_of", "∃z r(x,z)", "x is an instance of something"},
      {"_hypernym", "r(x,y)", "y is x's hypernym"},
      {"_hypernym", "¬∃z r(x,z)", "x has no hypernym"},
      {"_instance_hypernym", "∃z r(x,z)", "x has an instance hypernym"},
      {"_member_meronym", "∃z r(z,x)", "x is a member meronym of something"},
      {"_has_part", "r(x,y)", "y is x's part"},
      {"_has_part", "¬∃z r(x,z)", "x has no part"},
      {"_derivationally_related_form", "r(x,y)", "y is x's derivationally related form"},
      {"_synset_domain_topic_of", "r(x,y)", "x is the synset domain topic of y"},
      {"_also_see", "r(x,y)", "x refers also to y"},
      {"_similar_to", "¬∃z r(x,z)", "x is not similar to anything"},
      {"_verb_group", "r(x,y)", "x is in the verb group of y"},
      {"/people/person/place_of_birth", "r(x,y)", "y is x's place of birth"},
      {"/people/person/place_of_birth", "¬∃z r(x,z)", "x has no place of birth"},
      {"/people/person/nationality", "∃z r(z,x)", "x is a nationality of something"},
      {"/music/genre/artists", "r(x,y)", "y is one of x's artists"},
      {"/music/genre/artists", "∃z r(x,z)", "x has artists"},
      {"/music/genre/artists", "¬∃z r(z,x)", "x is not one of the artists of anything"},
      {"/award/award_category/winners./award/award_honor/award_winner", "r(x,y)",
       "y is x's award winner"},
      {"term12", "r(x,y)", "x is related by term12 to y"},
      {"term12", "¬∃z r(x,z)", "x is not related by term12 to anything"},
      {"P31", "∃z r(z,x)", "something is related by P31 to x"},
      {"http://www.wikidata.org/prop/direct/P106", "r(x,y)", "x is related by P106 to y"},
      {"schema:birthPlace", "r(x,y)", "y is x's birth place"},
      {"placeOfBirth", "¬∃z r(x,z)", "x has no place of birth"},
      {"hasDNA", "∃z r(x,z)", "x has a DNA"},
      {"worksFor", "¬∃z r(x,z)", "x does not work for anything"},
      {"http://example.org/schema#causes", "r(x,y)", "x causes y"},
      {"has_symptom", "r(x,y)", "y is x's symptom"},
      {"has_side_effects", "¬∃z r(x,z)", "x has no side effects"},
      {"has_effect_on", "¬∃z r(x,z)", "x does not have effect on anything"},
      {"is_parent_of", "r(x,y)", "x is a parent of y"},
      {"is_located_in", "¬∃z r(x,z)", "x is not located in anything"},
      {"can_treat", "¬∃z r(x,z)", "x cannot treat anything"},
      {"was_born_in", "¬∃z r(x,z)", "x was not born in anything"},
      {"treats", "r(x,anna)", "x treats anna"},
      {"participates in", "¬∃z r(x,z)", "x does not participate in anything"},
      {"relieves", "∃z (r(z,x) ∧ ¬∃w r(w,z))", "some z1 relieves x such that nothing relieves z1"}};
  for (const Row& row : rows)
    EXPECT_EQ(reading_of(row), row.reading) << row.name << " " << row.statement;
}

TEST(English, SaysFormulas) {
  EXPECT_EQ(of_x("true(x)"), "x is anything");
  EXPECT_EQ(of_x("¬∃z uncle(x,z)"), "x is not an uncle of anything");
  EXPECT_EQ(of_x("¬∃z _lives_in(z,x)"), "nothing lives in x");
  EXPECT_EQ(of_x("∃z (son(z,x) ∧ ∃w sister(w,z) ∧ son(anna,z))"),
            "x has a son z1 such that z1 has a sister and anna is a son of z1");
  EXPECT_EQ(of_x("∃z (son(x,z) ∧ ¬son(z,anna))"),
            "x is a son of some z1 such that z1 is not a son of anna");
  EXPECT_EQ(of_x("∃z sister(z,x) ∨ ∃z brother(z,x) ∨ _lives_in(x,anna)"),
            "(x has a sister, x has a brother, or x lives in anna)");
}

}  // namespace
}  // namespace lerpp
