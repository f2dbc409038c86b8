// SPDX-License-Identifier: Apache-2.0
#include "kg/rule_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/kg/generate.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/logic/support.hpp>

#include "logic/random_logic.hpp"
#include "support/describe.hpp"

namespace lerpp {
namespace {

Vocabulary vocabulary(const std::vector<std::string>& names) {
  Vocabulary result;
  for (const std::string& name : names) result.intern(name);
  return result;
}

const Vocabulary kinship = vocabulary({"mother", "son", "sister", "brother"});
const Vocabulary people = vocabulary({"anna", "x", "Zoë", "two words", "z1", "true"});
const Names names = {kinship, people};
enum : OperatorId { mother, son, sister, brother, of_mother, of_son, of_sister, of_brother };

const Formula has_sister = Formula::exists(of_sister);

Rule nephew() {
  return path_rule(of_brother, {of_mother, of_son},
                   {Formula::negation(has_sister), Formula(), Formula()}, 2.5);
}

TEST(RuleText, IsWrittenAsInTheBooks) {
  EXPECT_EQ(to_text(nephew(), names),
            "mother(z1,x) ∧ son(y,z1) ∧ ¬∃z2 sister(z2,x) ⇒ brother(y,x)");
  EXPECT_EQ(to_text(nephew(), names, {.ascii = true, .weight = true}),
            "2.5  mother(z1,x) & son(y,z1) & !exists z2 sister(z2,x) => brother(y,x)");
  EXPECT_EQ(to_text(pair_rule(son, Formula(), Formula()), names), "true ⇒ son(x,y)");
  EXPECT_EQ(to_text(path_rule(son, {}, {has_sister}), names),
            "x = y ∧ ∃z1 sister(z1,x) ⇒ son(x,y)");
  EXPECT_EQ(to_text(path_rule(son, {son}, {Formula(), Formula::falsity()}), names),
            "son(x,y) ∧ false(y) ⇒ son(x,y)");
  const Formula deep = Formula::exists(
      mother,
      Formula::conjunction({has_sister, Formula::disjunction({Formula::constant(son, 0),
                                                              Formula::constant(of_son, 1)})}));
  EXPECT_EQ(to_text(pair_rule(son, deep, Formula()), names),
            "∃z1 (mother(x,z1) ∧ ∃z2 sister(z2,z1) ∧ (son(z1,anna) ∨ son(\"x\",z1))) ⇒ son(x,y)");
}

TEST(RuleText, IsReadInOtherOrdersAndNames) {
  for (const char* text : {
           "2.5 mother(z1,x) ∧ son(y,z1) ∧ ¬∃z2 sister(z2,x) ⇒ brother(y,x)",
           "2.5 ! exists w (sister(w,x)) & son(y,b)&mother(b,x)=>brother(y,x)",
           "2.5 (¬∃w sister(w,a)) ∧ son(y,b) ∧ mother(b,a) ⇒ brother(y,a)",
           "  2.5e0\t~∃z1 sister(z1,x) ∧ \"mother\"(z1,x) ∧ son(y,z1) ⇒ brother(y,x)  ",
       }) {
    const auto rule = parse_rule(text, names);
    ASSERT_EQ(test::sentence(rule), "") << text;
    EXPECT_EQ(*rule, nephew()) << text;
  }
  const auto formula = parse_formula("son(z,anna) ∧ ∃x son(x,z) ∨ true(z)", names);
  ASSERT_EQ(test::sentence(formula), "");
  EXPECT_EQ(*formula, Formula::disjunction({Formula::conjunction({Formula::constant(son, 0),
                                                                  Formula::exists(of_son)}),
                                            Formula::truth()}));
}

TEST(RuleText, ErrorsSayWhatAndWhere) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"", "something else where a relation should stand (column 1)"},
      {"son(x,y)", "no ⇒ where one should stand (column 9)"},
      {"son(x,y) ⇒ uncle(x,y)", "a relation that is not known, uncle (column 12)"},
      {"son(x,y) ∧ \"a\nb\"(x,y) ⇒ son(x,y)",
       "a relation that is not known, \"a\\x0ab\" (column 12)"},
      {"son(x,y) ∧ son(x,bob) ⇒ son(x,y)", "an entity that is not known, bob (column 18)"},
      {"son(x,y) ⇒ son(x,y) son(x,y)", "something stands after the end (column 21)"},
      {"son(x,y) ⇒ son(x,anna)", "a head that is no relation of two variables (column 12)"},
      {"son(x,x) ⇒ son(x,y)", "a relation of a variable with itself (column 1)"},
      {"son(anna,anna) ⇒ son(x,y)", "a relation without a variable (column 1)"},
      {"son(x) ⇒ son(x,y)", "a relation with one argument (column 1)"},
      {"son(x,z) ⇒ son(x,y)",
       "the relations between variables are no chain from x to y (column 1)"},
      {"son(x,y) ∧ son(x,y) ⇒ son(x,y)",
       "the relations between variables are no chain from x to y (column 12)"},
      {"son(x,y) ∧ son(y,z) ⇒ son(x,y)",
       "the relations between variables are no chain from x to y (column 12)"},
      {"son(x,y) ∧ son(a,b) ⇒ son(x,y)",
       "the relations between variables are no chain from x to y (column 12)"},
      {"son(x,z) ∧ son(z,a) ∧ son(a,x) ∧ son(a,y) ⇒ son(x,y)",
       "the relations between variables are no chain from x to y (column 23)"},
      {"son(x,y) ∧ ∃w son(z,w) ⇒ son(x,y)", "the variable z has no place in the rule (column 12)"},
      {"x = y ∧ son(x,y) ⇒ son(x,y)",
       "an equation beside a chain or of other variables (column 1)"},
      {"x = y ∧ x = z ⇒ son(x,y)", "an equation beside a chain or of other variables (column 9)"},
      {"¬son(x,y) ⇒ son(x,y)", "two variables where one is spoken of (column 2)"},
      {"∃w son(x,y) ⇒ son(x,y)", "∃w that is not tied to one other variable (column 2)"},
      {"∃w true(w) ⇒ son(x,y)", "∃w that is not tied to one other variable (column 2)"},
      {"∃w (son(x,w) ∧ true(x)) ⇒ son(x,y)", "a part that does not speak of w (column 16)"},
      {"∃w (son(x,w) ∧ son(y,w)) ⇒ son(x,y)",
       "∃w that is not tied to one other variable (column 2)"},
      {"(true(x) ∨ true(y)) ⇒ son(x,y)",
       "x and y in what should speak of one variable (column 12)"},
      {"∃anna son(x,y) ⇒ son(x,y)", "something else where a variable should stand (column 2)"},
      {"(son(x,y) ⇒ son(x,y)", "no ) where one should stand (column 11)"},
      {"son(x,\"a) ⇒ son(x,y)", "a quotation mark that is not closed (column 7)"},
      {"son(x,\"\\q\") ⇒ son(x,y)", "an escape that is not known (column 8)"},
      {"son(x,y) ; son(x,y)", "a character that has no meaning here (column 10)"},
      {"1e999 son(x,y) ⇒ son(x,y)", "a weight that is not finite (column 1)"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string sentence = test::sentence(parse_rule(text, names));
    EXPECT_EQ(sentence.substr(0, sentence.find("):") + 1), expected) << text;
  }
}

TEST(RuleText, NestingIsLimited) {
  const auto nested = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += "¬(";
    return text + "true(x)" + std::string(depth, ')');
  };
  EXPECT_TRUE(parse_formula(nested(max_nesting / 2 - 1), names));
  const std::string sentence = test::sentence(parse_formula(nested(100000), names));
  EXPECT_EQ(sentence.substr(0, 22), "nested deeper than 256");
  Formula deep = Formula::constant(son, 0);
  while (deep.depth() < 128) deep = Formula::exists(mother, deep);
  const auto back = parse_formula(to_text(deep, names), names);
  ASSERT_EQ(test::sentence(back), "");
  EXPECT_EQ(*back, deep);
  // Long is not deep.
  std::string wide = "true(x)";
  for (int i = 0; i < 10000; ++i) wide += " ∧ true(x)";
  EXPECT_TRUE(parse_formula(wide, names));
}

/// Names that try to be taken for something else.
std::string any_name() {
  const auto fixed = rc::gen::element<std::string>(
      "", "x", "z1", "w", "true", "false", "exists", "2.5", "1e5", "nan", "a b", "¬", "∃z", "r⇒s",
      "\"", "\\", "\n", "\xff\xfe", "Zoë", "/people/person", "_hypernym", "a,b", "f(x)", "é\xcc",
      "日本", "\xEF\xBB\xBF");
  return *rc::gen::oneOf(fixed, rc::gen::arbitrary<std::string>());
}

Vocabulary any_vocabulary(std::size_t size) {
  Vocabulary result;
  while (result.size() < size) result.intern(any_name());
  return result;
}

RC_GTEST_PROP(RuleText, ReadsBackWhatItWrites, ()) {
  const Vocabulary relations = any_vocabulary(test::relations);
  const Vocabulary entities = any_vocabulary(test::entities);
  const Names odd = {relations, entities};
  const Rule rule = test::any_rule(3);
  const bool ascii = *rc::gen::arbitrary<bool>();
  const std::string text = to_text(rule, odd, {.ascii = ascii, .weight = true});
  RC_TAG(rule.is_pair());
  RC_LOG() << text;
  const auto back = parse_rule(text, odd);
  RC_ASSERT(test::sentence(back) == "");
  RC_ASSERT(*back == rule);
  const Formula& formula = rule.constraints().front();
  const auto same = parse_formula(to_text(formula, odd, {.ascii = ascii}), odd);
  RC_ASSERT(test::sentence(same) == "");
  RC_ASSERT(*same == formula);
}

TEST(RuleText, ReadsTheRulesOfTheGeneratedFamily) {
  // Read and counted here, and by the plain evaluator that checks the generator.
  const Generated family = generate_family({.people = 300});
  const Dataset& dataset = family.dataset;
  const Names own = {dataset.relations, dataset.entities};
  const Graph graph = dataset.full_graph();
  Evaluator evaluator(graph);
  const test::RuleParser plain(dataset.relations);
  ASSERT_GT(family.rules.size(), 100U);
  for (const std::string& text : family.rules) {
    const auto rule = parse_rule(text, own);
    ASSERT_EQ(test::sentence(rule), "") << text;
    const auto again = parse_rule(to_text(*rule, own), own);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(*again, *rule) << text;
    const Support found = support(*rule, evaluator, {.distinct = true});
    const test::Tally expected = test::evaluate(plain.parse(text), graph);
    EXPECT_EQ(found.body, expected.body) << text;
    EXPECT_EQ(found.support, expected.support) << text;
  }
}

}  // namespace
}  // namespace lerpp
