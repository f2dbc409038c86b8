// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/logic/anyburl.hpp>
#include <lerp/logic/rule_file.hpp>

#include "logic/export_writer.hpp"
#include "support/describe.hpp"
#include "support/temporary_folder.hpp"

/// What engines cannot check; that they derive what we do is tested in tests/export.
namespace lerpp {
namespace {

Dataset small() {
  Dataset dataset;
  for (const auto* name : {"anna", "ben", "it's"}) dataset.entities.intern(name);
  for (const auto* name : {"son", "mother"}) dataset.relations.intern(name);
  dataset[Split::facts] = {{1, 0, 0}};
  dataset[Split::train] = {{0, 1, 1}};
  dataset[Split::test] = {{2, 0, 0}};
  return dataset;
}

std::vector<Rule> rules_of(std::string_view text, const Dataset& dataset) {
  return parse_rules(text, {dataset.relations, dataset.entities}, "rules").value();
}

TEST(Export, EveryFormatIsFoundByItsName) {
  for (const std::string& name : export_format_names()) {
    const auto format = export_format_named(name);
    ASSERT_TRUE(format);
    EXPECT_EQ(name_of(*format), name);
  }
  EXPECT_FALSE(export_format_named("latin"));
}

TEST(Export, NumbersAreDecimalEverywhere) {
  EXPECT_EQ(decimal(1), "1.0");
  EXPECT_EQ(decimal(-0.25), "-0.25");
  EXPECT_EQ(decimal(1e300), "1.0e300");
  EXPECT_EQ(decimal(-1e-12), "-1.0e-12");
  EXPECT_EQ(decimal(1.5e30), "1.5e30");
}

TEST(Export, AnyburlHoldsChainsWithTheirFiguresAndNamesTheRest) {
  const Dataset dataset = small();
  const auto rules = rules_of(
      "mother(x,y) ⇒ son(y,x)\n"
      "mother(x,y) ∧ ∃z son(x,z) ⇒ son(y,x)\n"
      "true ⇒ son(x,y)\n"
      "son(x,z) ∧ mother(z,y) ⇒ son(x,y)\n",
      dataset);
  const auto exported = export_rules(rules, dataset, ExportFormat::anyburl);
  ASSERT_TRUE(exported);
  EXPECT_EQ(exported->text,
            "1\t1\t1\tson(X,Y) <= mother(Y,X)\n"
            "0\t0\t0\tson(X,Y) <= son(X,A), mother(A,Y)\n");
  EXPECT_EQ(exported->rules, 2U);
  EXPECT_EQ(exported->left_out, (std::vector<std::size_t>{1, 2}));
}

TEST(Export, AnyburlRulesSayWhatDiffers) {
  const Dataset dataset = small();
  const auto rules = parse_anyburl(
      "4\t3\t0.75\tson(X,anna) <= mother(X,A), son(A,ben)\n2\t1\t0.5\tson(X,Y) <= mother(Y,X)\n",
      {dataset.relations, dataset.entities}, "rules");
  ASSERT_TRUE(rules);
  const auto prolog = export_rules(*rules, dataset, ExportFormat::prolog);
  ASSERT_TRUE(prolog);
  EXPECT_NE(prolog->text.find("derived(1, son, X, anna) :-\n"
                              "    fact(mother, X, A),\n"
                              "    fact(son, A, ben),\n"
                              "    X \\== A,\n"
                              "    X \\== anna,\n"
                              "    X \\== ben,\n"
                              "    A \\== anna,\n"
                              "    A \\== ben.\n"),
            std::string::npos)
      << prolog->text;
  const auto again = export_rules(*rules, dataset, ExportFormat::anyburl);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->text,
            "4\t3\t0.75\tson(X,anna) <= mother(X,A), son(A,ben)\n"
            "2\t1\t0.5\tson(X,Y) <= mother(Y,X)\n");
  const auto text = export_rules(*rules, dataset, ExportFormat::text);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->left_out, std::vector<std::size_t>{0});
  EXPECT_EQ(rules_of(text->text, dataset).size(), 1U);
}

TEST(Export, JsonIsWhatTheRuleSays) {
  const Dataset dataset = small();
  const auto rules = rules_of("0.5 son(x,y) ∧ ¬∃z mother(z,x) ∧ son(y,ben) ⇒ mother(y,x)", dataset);
  const auto exported = export_rules(rules, dataset, ExportFormat::json);
  ASSERT_TRUE(exported);
  const Json rule = Json::parse(exported->text)["rules"][0];
  EXPECT_EQ(rule["weight"], 0.5);
  EXPECT_EQ(rule["head"]["subject"]["variable"], "y");
  EXPECT_EQ(rule["facts"].size(), 1U);
  EXPECT_EQ(rule["conditions"][0]["no"]["fact"]["relation"], "mother");
  EXPECT_EQ(rule["conditions"][1]["fact"]["object"]["entity"], "ben");
}

TEST(Export, ADistilledListKeepsItsSecondNumber) {
  const Dataset dataset = small();
  const Names names = {dataset.relations, dataset.entities};
  const auto rules =
      parse_listed_rules("4.5 -0.15  son(x,y) ⇒ mother(y,x)\n1  son(x,y) ⇒ son(x,y)", names, "");
  ASSERT_TRUE(rules);
  const auto exported = [&](ExportFormat format) {
    return export_rules(*rules, dataset, format).value().text;
  };
  EXPECT_EQ(Json::parse(exported(ExportFormat::json))["rules"][0]["more"], -0.15);
  const std::string text = exported(ExportFormat::text);
  EXPECT_TRUE(text.starts_with("# weight more ")) << text;
  const auto again = parse_listed_rules(text, names, "");
  ASSERT_TRUE(again) << text;
  EXPECT_EQ(again->front().rule, rules->front().rule);
  EXPECT_EQ(again->front().more, -0.15);
  for (const ExportFormat format : {ExportFormat::prolog, ExportFormat::asp, ExportFormat::sql,
                                    ExportFormat::sparql, ExportFormat::cypher}) {
    const std::string program = exported(format);
    EXPECT_NE(program.find("(n groundings weigh 4.5 - 0.15 log(1 + n))\n"), std::string::npos)
        << program;
    EXPECT_EQ(program.find("weigh 1"), std::string::npos) << program;
  }
}

TEST(Export, ARuleWithoutStepsAnswersOneQuestion) {
  const Dataset dataset = small();
  const Names names = {dataset.relations, dataset.entities};
  const auto rules =
      parse_listed_rules("2 1  x = y ⇒ mother(x,y)\n2 1  x = y ⇒ mother(y,x)", names, "");
  ASSERT_TRUE(rules) << test::sentence(rules);
  const auto exported = [&](ExportFormat format) {
    return export_rules(*rules, dataset, format).value().text;
  };
  const Json json = Json::parse(exported(ExportFormat::json))["rules"];
  EXPECT_EQ(json[0]["answers"], "object");
  EXPECT_EQ(json[1]["answers"], "subject");
  const std::string sql = exported(ExportFormat::sql);
  for (const auto* row : {"question VALUES (1, 'mother', 'object');", "1.0, 0, 1);",
                          "question VALUES (2, 'mother', 'subject');", "1.0, 0, 2);"}) {
    EXPECT_NE(sql.find(row), std::string::npos) << row << "\n" << sql;
  }
}

TEST(Export, JsonOfAFileSaysHowItIsScored) {
  const Dataset dataset = small();
  const test::TemporaryFolder folder;
  const auto exported = [&](const std::string& text) {
    const auto path = folder / "rules";
    EXPECT_TRUE(write_file(path, text));
    const auto done = export_rule_file(path, dataset, ExportFormat::json);
    EXPECT_TRUE(done) << test::sentence(done);
    return Json::parse(done.value().text);
  };
  const std::string rule = "4.5 -0.15  son(x,y) ⇒ mother(y,x)\n";
  const Json list = exported("# weight more\n# frontier 7\n" + rule);
  EXPECT_EQ(list["aggregation"], "list");
  EXPECT_EQ(list["frontier"], 7);
  EXPECT_FALSE(exported("# weight more\n" + rule).contains("frontier"));
  EXPECT_EQ(exported(rule)["aggregation"], "max");
  const Json anyburl = exported(
      "10\t8\t0.8\tson(X,Y) <= mother(Y,X)\n"
      "10\t4\t0.4\tson(X,ben) <=\n");
  EXPECT_EQ(anyburl["aggregation"], "max");
  EXPECT_EQ(anyburl["rules"][0]["predicted"], 10);
  EXPECT_EQ(anyburl["rules"][0]["correct"], 8);
  EXPECT_EQ(anyburl["rules"][0]["directed"], false);
  EXPECT_EQ(anyburl["rules"][1]["directed"], true);
}

TEST(Export, ADistilledListKeepsItsGroups) {
  const Dataset dataset = small();
  const Names names = {dataset.relations, dataset.entities};
  const auto rules = parse_listed_rules(
      "0.5 20 [3]  son(x,y) ⇒ mother(y,x)\n0.5 7 [3]  son(z,x) ∧ son(z,y) ⇒ mother(y,x)\n"
      "2 1  x = y ⇒ mother(y,x)",
      names, "");
  ASSERT_TRUE(rules) << test::sentence(rules);
  const auto exported = [&](ExportFormat format) {
    return export_rules(*rules, dataset, format).value().text;
  };
  const Json json = Json::parse(exported(ExportFormat::json))["rules"];
  EXPECT_EQ(json[1]["group"], 3);
  EXPECT_EQ(json[1]["more"], 7);
  EXPECT_TRUE(json[2]["group"].is_null());
  const std::string text = exported(ExportFormat::text);
  const auto again = parse_listed_rules(text, names, "");
  ASSERT_TRUE(again) << text;
  for (std::size_t i = 0; i < rules->size(); ++i) {
    EXPECT_EQ((*again)[i].rule, (*rules)[i].rule);
    EXPECT_EQ((*again)[i].more, (*rules)[i].more);
    EXPECT_EQ((*again)[i].group, (*rules)[i].group);
  }
  EXPECT_NE(exported(ExportFormat::prolog)
                .find("(group 3 weighs 0.5 log(1 + s), n groundings add 20 n to s)\n"),
            std::string::npos);
}

TEST(Export, TextOfADistilledListKeepsItsHeader) {
  const Dataset dataset = small();
  const test::TemporaryFolder folder;
  const auto exported = [&](const std::string& text) {
    const auto path = folder / "rules";
    EXPECT_TRUE(write_file(path, text));
    const auto done = export_rule_file(path, dataset, ExportFormat::text);
    EXPECT_TRUE(done) << test::sentence(done);
    return done.value().text;
  };
  const std::string list = exported("# weight more\n# frontier 7\n4.5 0  son(x,y) ⇒ mother(y,x)\n");
  EXPECT_EQ(read_frontier(list, "").value(), 7U);
  EXPECT_TRUE(looks_like_list(list))
      << "none of its rules weighs more, and it is a list all the same";
  EXPECT_EQ(exported(list), list);
  const std::string without = exported("# weight more\n4.5 0  son(x,y) ⇒ mother(y,x)\n");
  EXPECT_EQ(read_frontier(without, "").value(), std::nullopt);
  EXPECT_FALSE(looks_like_list(exported("4.5  son(x,y) ⇒ mother(y,x)\n")));
}

TEST(Export, SaysWhatIsWrongWithAGroup) {
  const Dataset dataset = small();
  const auto wrong = [&](std::string_view text) {
    return test::sentence(parse_listed_rules(text, {dataset.relations, dataset.entities}, "list"));
  };
  EXPECT_EQ(wrong("1 2 [1]  son(x,y) ⇒ mother(y,x)\n2 2 [1]  x = y ⇒ mother(y,x)"),
            "group 1 has two weights (list, line 2): give all rules of a group the same weight");
  EXPECT_EQ(wrong("1 2 [1]  son(x,y) ⇒ mother(y,x)\n2 2 [1]  x = y ⇒ son(y,x)"), "");
  for (const std::string_view amount : {"0", "-1", "1e-60", "1e60"}) {
    EXPECT_EQ(wrong(fmt::format("1 {} [1]  son(x,y) ⇒ mother(y,x)", amount)),
              "the second number of a rule in a group is too small or too large (list, line 1): "
              "write one from 1e-20 to 1e+20");
  }
  for (const std::string_view numbers : {"nan 1", "1 nan", "inf 1", "1 -inf", "nan 1 [1]"}) {
    EXPECT_EQ(wrong(fmt::format("{}  son(x,y) ⇒ mother(y,x)", numbers)),
              "a number in front of a rule that is not finite (list, line 1): write a number");
  }
  EXPECT_EQ(wrong("1 2 [1]  ∃z son(y,z) ⇒ mother(x,y)"),
            "a rule without a path is in a group (list, line 1): leave out the group");
  for (const std::string_view group : {"[0]", "[x]", "[]", "[1", "[99999999999]"}) {
    EXPECT_NE(wrong(fmt::format("1 2 {}  son(x,y) ⇒ mother(y,x)", group)), "") << group;
  }
}

TEST(Export, FactsAreTheKnownOnes) {
  const test::TemporaryFolder folder;
  const Dataset dataset = small();
  const auto path = folder.path() / "facts.pl";
  ASSERT_TRUE(export_facts(dataset, ExportFormat::prolog, path));
  const auto bytes = read_file(path);
  ASSERT_TRUE(bytes);
  const std::string text(bytes->view());
  EXPECT_NE(text.find("entity(anna).\nentity(ben).\nentity('it\\'s').\n"), std::string::npos);
  EXPECT_NE(text.find("fact(son, ben, anna).\nfact(mother, anna, ben).\n"), std::string::npos);
  EXPECT_EQ(text.find("fact(son, 'it"), std::string::npos);
}

TEST(Export, NamesThatAFormatCannotHoldAreRefused) {
  const test::TemporaryFolder folder;
  Dataset dataset = small();
  dataset.entities.intern("a\tb");
  EXPECT_FALSE(export_facts(dataset, ExportFormat::anyburl, folder.path() / "facts.txt"));
  EXPECT_TRUE(export_facts(dataset, ExportFormat::sql, folder.path() / "facts.sql"));
  dataset.entities.intern(std::string_view("a\0b", 3));
  EXPECT_FALSE(export_rules(rules_of("son(x,y) ⇒ son(x,y)", dataset), dataset, ExportFormat::sql));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "facts.txt"));
}

TEST(Export, AHugeRuleIsRefused) {
  const Dataset dataset = small();
  Formula formula = Formula::exists(0);
  for (int i = 0; i < 60; ++i) formula = Formula::conjunction({formula, formula});
  const std::vector<Rule> rules = {path_rule(0, {1}, {formula, {}})};
  EXPECT_FALSE(export_rules(rules, dataset, ExportFormat::sql));
}

TEST(RuleFile, TakesWeightsOfBothKinds) {
  const Dataset dataset = small();
  const auto rules = rules_of(
      "# a comment\n"
      "son(x,y) ⇒ mother(y,x)\n"
      "\n"
      "-0.5 0.25  son(x,y) ⇒ mother(x,y)\r\n"
      "2.5 son(x,y) ⇒ son(y,x)",
      dataset);
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[0].weight(), 1);
  EXPECT_EQ(rules[1].weight(), -0.5);
  EXPECT_EQ(rules[2].weight(), 2.5);
  const auto wrong = parse_rules("\nson(x) ⇒", {dataset.relations, dataset.entities}, "rules.txt");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where.find("rules.txt, line 2"), 0U);
}

}  // namespace
}  // namespace lerpp
