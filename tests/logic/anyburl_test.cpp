// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/logic/anyburl.hpp>

#include "logic/anyburl_walk.hpp"
#include "logic/random_anyburl.hpp"

namespace lerpp {
namespace {

using test::entities;
using test::relations;

struct Vocabularies {
  Vocabulary relation_names;
  Vocabulary entity_names;
  Names names = {relation_names, entity_names};

  Vocabularies() {
    for (const auto* name : {"knows", "likes (a,b)"}) relation_names.intern(name);
    for (const auto* name : {"lisa", "max, jr.", "john (b. 1950)", "eve), likes", "bob", "k"}) {
      entity_names.intern(name);
    }
  }
};

AnyburlRule parsed(std::string_view text, const Names& names) {
  auto rule = parse_anyburl_rule(text, names);
  EXPECT_TRUE(rule) << text << ": " << to_string(rule.error());
  return rule.value_or(AnyburlRule{});
}

RC_GTEST_PROP(Anyburl, IsReadBackAsWritten, ()) {
  const Vocabularies all;
  AnyburlRule rule = test::any_anyburl_rule();
  rule.predicted = rule.correct = 0;
  rule.confidence = 0;
  const auto again = parse_anyburl_rule(to_text(rule, all.names), all.names);
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == rule);
}

RC_GTEST_PROP(Anyburl, AnswersAsByBruteForce, ()) {
  const std::vector<Fact> facts = test::any_facts();
  const Graph graph(entities, relations, {facts});
  const AnyburlRule rule = test::any_anyburl_rule();
  EntitySet scratch(entities);
  AnyburlWalk walk(rule, graph, scratch);
  std::set<std::pair<EntityId, EntityId>> pairs;
  for (EntityId x = 0; x < entities; ++x) {
    const auto& found = walk.answers(rule.target, x);
    const std::set<EntityId> once(found.begin(), found.end());
    RC_ASSERT(once.size() == found.size());
    RC_ASSERT(once == test::slow_answers(rule, x, graph));
    for (const EntityId y : once) pairs.emplace(x, y);
  }
  // The other way round it says the same, unless it is meant for one way only.
  for (EntityId y = 0; y < entities; ++y) {
    const auto& found = walk.answers(graph.inverse(rule.target), y);
    RC_ASSERT(std::set<EntityId>(found.begin(), found.end()).size() == found.size());
    for (EntityId x = 0; x < entities; ++x) {
      const bool expected = !rule.directed && pairs.contains({x, y});
      RC_ASSERT(std::count(found.begin(), found.end(), x) == (expected ? 1 : 0));
    }
  }
  RC_ASSERT(scratch.count() == 0U);
}

TEST(Anyburl, ReadsEveryKind) {
  const Vocabularies all;
  const Names& names = all.names;
  const OperatorId back = relations;
  AnyburlRule rule = parsed("knows(X,Y) <= likes (a,b)(A,X), knows(A,Y)", names);
  EXPECT_EQ(rule.target, 0U);
  EXPECT_EQ(rule.hops, (std::vector<OperatorId>{1 + back, 0}));
  EXPECT_TRUE(rule.leads_to_answer() && rule.distinct());

  rule = parsed("knows(X,max, jr.) <= knows(X,john (b. 1950))", names);
  EXPECT_EQ(rule.answer, std::optional<EntityId>(1));
  EXPECT_EQ(rule.end, std::optional<EntityId>(2));
  EXPECT_FALSE(rule.distinct());

  rule = parsed("knows(lisa,Y) <= knows(A,Y), likes (a,b)(B,A)", names);
  EXPECT_EQ(rule.target, 0 + back);
  EXPECT_EQ(rule.hops, (std::vector<OperatorId>{0 + back, 1 + back}));
  EXPECT_EQ(rule.answer, std::optional<EntityId>(0));
  EXPECT_FALSE(rule.end);
  EXPECT_TRUE(rule.distinct());

  EXPECT_TRUE(parsed("knows(X,X) <= knows(X,A)", names).same);
  EXPECT_TRUE(parsed("knows(X,lisa) <= ", names).directed);
  EXPECT_TRUE(parsed("knows(X,lisa) <=", names).hops.empty());
  EXPECT_TRUE(parsed("knows(me_myself_i,Y) <= knows(Y,A)", names).directed);
  EXPECT_EQ(parsed("knows(X,Y) <= knows(A,Y), likes (a,b)(X,A)", names).hops,
            (std::vector<OperatorId>{1, 0}));
}

TEST(Anyburl, ReadsAFile) {
  const Vocabularies all;
  const std::string text =
      "20\t10\t0.5\tknows(X,Y) <= knows(Y,X)\r\n\n25\t20\t0.8\tknows(X,lisa) <= knows(X,bob)\n";
  ASSERT_TRUE(looks_like_anyburl(text));
  const auto rules = parse_anyburl(text, all.names, "rules");
  ASSERT_TRUE(rules) << to_string(rules.error());
  ASSERT_EQ(rules->size(), 2U);
  EXPECT_EQ((*rules)[1].predicted, 25U);
  EXPECT_EQ((*rules)[1].correct, 20U);
  EXPECT_EQ((*rules)[1].confidence, 0.8);
  EXPECT_FALSE(looks_like_anyburl("0.5  knows(x,y) ⇒ knows(y,x)\n"));
}

TEST(Anyburl, SaysWhatIsWrong) {
  const Vocabularies all;
  const auto error = [&](std::string_view line) {
    const auto rules = parse_anyburl(line, all.names, "rules");
    return rules ? "none" : to_string(rules.error());
  };
  EXPECT_NE(error("1\t1\t1\tknows(X,Y) <= hates(X,Y)").find("a relation that the data does not"),
            std::string::npos);
  EXPECT_NE(error("1\t1\t1\tknows(X,nobody) <= knows(X,A)").find("an entity that the data"),
            std::string::npos);
  EXPECT_NE(error("1\t1\t1\tknows(X,Y) <= knows(X,A), knows(B,Y)").find("chain"),
            std::string::npos);
  EXPECT_NE(error("1\t1\t1\tknows(X,Y) <= knows(X,lisa)").find("from X to Y"), std::string::npos);
  EXPECT_NE(error("1\t1\t1\tknows(lisa,bob) <= knows(X,A)").find("no variable"), std::string::npos);
  EXPECT_NE(error("1\t2\t1\tknows(X,Y) <= knows(Y,X)").find("rules, line 1"), std::string::npos);
  EXPECT_NE(error("knows(X,Y) <= knows(Y,X)").find("tabs"), std::string::npos);
  EXPECT_NE(error("1\t1\t1\tknows(X,Y) <= ").find("without a body"), std::string::npos);
}

TEST(Anyburl, TakesChainsAlone) {
  const auto chain = to_anyburl(path_rule(1 + relations, {0, 1}), relations);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->target, 1U);
  EXPECT_EQ(chain->hops, (std::vector<OperatorId>{1 + relations, 0 + relations}));
  EXPECT_FALSE(to_anyburl(path_rule(0, {}), relations));
  EXPECT_FALSE(to_anyburl(pair_rule(0, {}, {}), relations));
  EXPECT_FALSE(to_anyburl(path_rule(0, {1}, {Formula::exists(0), {}}), relations));
}

TEST(Anyburl, CountsWithDifferentVariables) {
  // A path of three and a loop: knows(0,1), knows(1,0), knows(1,2), knows(2,2).
  const std::vector<Fact> facts = {{0, 0, 1}, {1, 0, 0}, {1, 0, 2}, {2, 0, 2}, {0, 1, 2}};
  const Graph graph(3, 2, {facts});
  AnyburlRule rule;
  rule.target = 1;
  rule.hops = {0, 0};
  count(rule, graph);
  EXPECT_EQ(rule.predicted, 1U);  // 0-1-2; neither 0-1-0 nor 1-2-2
  EXPECT_EQ(rule.correct, 1U);
  EXPECT_EQ(rule.confidence, 1.0);
}

}  // namespace
}  // namespace lerpp
