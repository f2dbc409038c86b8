// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <lerp/distill/switch_off.hpp>
#include <lerp/kg/generate.hpp>

namespace lerpp {
namespace {

/// A family, and its true rules as a list, each read from both ends.
struct Case {
  Dataset dataset;
  RuleList list;
};

Case make_case() {
  FamilyOptions family;
  family.people = 120;
  Generated generated = generate_family(family);
  Case made{std::move(generated.dataset), {}};
  std::string text;
  for (const std::string& rule : generated.rules) text += rule + "\n";
  const RelationId relations = made.dataset.relations.size();
  const Names names = {made.dataset.relations, made.dataset.entities};
  const std::vector<Rule> rules = parse_rules(text, names, "rules").value();
  for (const Rule& rule : rules) {
    made.list.rules.push_back({rule, 0.5, 0});
    made.list.rules.push_back({reversed(rule, relations), 0.5, 0});
  }
  return made;
}

RankingOptions on_validation() {
  RankingOptions options;
  options.split = Split::valid;
  options.threads = 1;
  return options;
}

Protocols ranked(const RuleList& list, const Dataset& dataset, RelationId relation) {
  const Graph graph = dataset.known_graph();
  const RankingReport report = rank(*make_scorer(list, graph), dataset, on_validation()).value();
  const auto found =
      std::ranges::find(report.relations, std::string(dataset.relations.name(relation)),
                        &RankingReport::Relation::name);
  EXPECT_NE(found, report.relations.end());
  return found->both;
}

/// Compares with rankings of the two lists; whether it made a difference.
bool check_against_rankings(const Case& given, const Rule& rule) {
  const RelationId relations = given.dataset.relations.size();
  const RelationId relation = rule.target() % relations;
  const SwitchedOff off =
      switch_off(given.list, std::span(&rule, 1), KnownGraph(given.dataset), on_validation())
          .value();
  RuleList without = given.list;
  std::erase_if(without.rules,
                [&](const ListedRule& listed) { return same_rule(listed.rule, rule, relations); });
  EXPECT_EQ(off.rules, given.list.rules.size() - without.rules.size());
  EXPECT_GE(off.rules, 2U);
  const Protocols before = ranked(given.list, given.dataset, relation);
  const Protocols after = ranked(without, given.dataset, relation);
  EXPECT_EQ(off.changes.questions, before.queries);
  EXPECT_NEAR(off.changes.before.mrr, before.realistic.mrr, 1e-12);
  EXPECT_NEAR(off.changes.after.mrr, after.realistic.mrr, 1e-12);
  EXPECT_EQ(off.of_split, 2 * given.dataset[Split::valid].size());
  EXPECT_NEAR(off.gain_of_split() * static_cast<double>(off.of_split),
              (after.realistic.mrr - before.realistic.mrr) * static_cast<double>(before.queries),
              1e-9);
  return off.changes.after.mrr != off.changes.before.mrr;
}

TEST(SwitchOff, IsTheDifferenceOfTwoRankings) {
  const Case given = make_case();
  const auto ranked_here = [&](const ListedRule& listed) {
    return std::ranges::any_of(given.dataset[Split::valid], [&](const Fact& fact) {
      return fact.relation == listed.rule.target() % given.dataset.relations.size();
    });
  };
  std::size_t looked_at = 0;
  std::size_t changed = 0;
  for (const ListedRule& listed : given.list.rules) {
    if (!ranked_here(listed)) continue;
    ++looked_at;
    changed += check_against_rankings(given, listed.rule) ? 1 : 0;
  }
  EXPECT_GT(looked_at, 10U);
  EXPECT_GT(changed, 2U);
}

TEST(SwitchOff, RefusesWhatIsNotInTheList) {
  const Case given = make_case();
  RuleList shorter = given.list;
  const Rule rule = shorter.rules.front().rule;
  std::erase_if(shorter.rules, [&](const ListedRule& listed) {
    return same_rule(listed.rule, rule, given.dataset.relations.size());
  });
  const auto refused =
      switch_off(shorter, std::span(&rule, 1), KnownGraph(given.dataset), on_validation());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the list has no such rule");
}

TEST(SwitchOff, RefusesASplitWithoutTheRelation) {
  Case given = make_case();
  const Rule rule = given.list.rules.front().rule;
  std::erase_if(given.dataset[Split::valid], [&](const Fact& fact) {
    return fact.relation == rule.target() % given.dataset.relations.size();
  });
  EXPECT_FALSE(
      switch_off(given.list, std::span(&rule, 1), KnownGraph(given.dataset), on_validation()));
}

}  // namespace
}  // namespace lerpp
