#include <fmt/format.h>
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
  EXPECT_EQ(english("has_part(x,y) ⇒ born_in(x,y)"), "x is born in y if x has part y");
  EXPECT_EQ(english("true ⇒ uncle(x,y)"), "x is y's uncle always");
  EXPECT_EQ(english("x = y ⇒ uncle(x,y)"), "x is y's uncle if x and y are the same");
  EXPECT_EQ(english("uncle(x,y) ⇒ /people/person/nationality(x,y)", NounOf::object),
            "y is x's nationality if y is an uncle of x");
}

TEST(English, TellsVerbsFromNounsByTheirEndings) {
  const std::pair<const char*, const char*> readings[] = {
      {"affects", "x affects y"},
      {"interacts_with", "x interacts with y"},
      {"co-occurs_with", "x co-occurs with y"},
      {"carries_out", "x carries out y"},
      {"assesses_effect_of", "x assesses effect of y"},
      {"consists_of", "x consists of y"},
      {"part_of", "x is part of y"},
      {"location_of", "x is the location of y"},
      {"process_of", "x is the process of y"},
      {"synset_domain_topic_of", "x is the synset domain topic of y"},
      {"composed_of", "x is composed of y"},
      {"isa", "x is a y"},
      {"caused_by", "x is caused by y"},
      {"conceptually_related_to", "x is conceptually related to y"},
      {"has_part", "x has part y"},
      {"http://example.org/schema#causes", "x causes y"},
      {"mother", "x is y's mother"},
      {"boss", "x is y's boss"},
      {"status", "x is y's status"},
      {"hypernym", "x is y's hypernym"},
      {"/music/genre/artists", "x is y's artists"},
      {"place_of_birth", "x is y's place of birth"}};
  for (const auto& [name, reading] : readings) {
    const Vocabulary one = vocabulary({name});
    EXPECT_EQ(to_english(path_rule(0, {}), {one, entities}),
              fmt::format("{} if x and y are the same", reading));
  }
}

TEST(English, SaysFormulas) {
  EXPECT_EQ(of_x("true(x)"), "x is anything");
  EXPECT_EQ(of_x("¬∃z uncle(x,z)"), "x is not an uncle of anything");
  EXPECT_EQ(of_x("¬∃z _lives_in(z,x)"), "nothing lives in x");
  EXPECT_EQ(of_x("∃z (son(z,x) ∧ ∃w sister(w,z) ∧ son(anna,z))"),
            "x has a son z1 such that z1 has a sister and anna is a son of z1");
  EXPECT_EQ(of_x("∃z (son(x,z) ∧ ¬son(z,anna))"),
            "x is a son of some z1 such that it is not so that z1 is a son of anna");
  EXPECT_EQ(of_x("∃z sister(z,x) ∨ ∃z brother(z,x) ∨ _lives_in(x,anna)"),
            "(x has a sister, x has a brother, or x lives in anna)");
}

}  // namespace
}  // namespace lerpp
