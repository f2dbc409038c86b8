// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <lerp/kg/generate.hpp>
#include <lerp/run/compare.hpp>

#include "support/temporary_folder.hpp"
#include "train/small_family.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

/// Two runs of one family that were learned from different seeds.
struct Learned {
  Learned() : data(folder / "families"), first(train(1)), second(train(2)) {}

  Run train(std::uint64_t seed) {
    if (seed == 1) {
      FamilyOptions family;
      family.people = 80;
      EXPECT_TRUE(write_generated(generate_family(family), data));
    }
    const Dataset dataset = load(data).value();
    TrainOptions options = test::small_options(1);
    options.train.seed = seed;
    const fs::path run = folder / ("run-" + std::to_string(seed));
    EXPECT_TRUE(start_run(dataset, data, resolve(dataset, options).value(), run));
    return Run::open(run, 2).value();
  }

  test::TemporaryFolder folder;
  fs::path data;
  Run first;
  Run second;
};

const Learned& learned() {
  static const Learned result;
  return result;
}

RankingOptions on(Split split) {
  RankingOptions options;
  options.split = split;
  return options;
}

TEST(CompareRuns, MovesEachQuestionFromTheRankOfOneToThatOfTheOther) {
  const RunRanks found = compare_ranks(learned().first, learned().second, on(Split::valid)).value();
  const AnswerRanks before = learned().first.answer_ranks(on(Split::valid)).value();
  const AnswerRanks after = learned().second.answer_ranks(on(Split::valid)).value();
  ASSERT_EQ(found.changes.questions, before.answers.size());
  std::size_t moved = 0;
  for (std::size_t i = 0; i < before.answers.size(); ++i)
    moved += before.answers[i].rank.realistic() != after.answers[i].rank.realistic() ? 1 : 0;
  EXPECT_GT(moved, 0U);
  EXPECT_EQ(found.changes.changes.size(), moved);
  for (const RankChange& change : found.changes.changes) {
    const auto same = std::ranges::find_if(before.answers, [&](const AnswerRank& one) {
      return one.fact == change.fact && one.tail == change.tail;
    });
    ASSERT_NE(same, before.answers.end());
    EXPECT_EQ(change.before, same->rank);
    EXPECT_EQ(change.after,
              after.answers[static_cast<std::size_t>(same - before.answers.begin())].rank);
  }
}

TEST(CompareRuns, AsksWhatBothDataHaveByName) {
  const auto& run = learned().first;
  const auto data = run.data().value();
  // The same names with other numbers, and a validation fact that is a test fact there.
  Dataset other;
  other.name = data->name;
  for (EntityId entity = data->entities.size(); entity-- > 0;)
    other.entities.intern(data->entities.name(entity));
  for (RelationId relation = 0; relation < data->relations.size(); ++relation)
    other.relations.intern(data->relations.name(relation));
  for (std::size_t split = 0; split < data->splits.size(); ++split) {
    for (const Fact& fact : data->splits[split]) {
      const auto turned = [&](EntityId entity) { return data->entities.size() - 1 - entity; };
      other.splits[split].push_back({turned(fact.subject), fact.relation, turned(fact.object)});
    }
  }
  other[Split::test].push_back(other[Split::valid].back());
  other[Split::valid].pop_back();
  const RunRanks found = compare_ranks(run, run.on(std::move(other)), on(Split::valid)).value();
  EXPECT_EQ(found.facts, (*data)[Split::valid].size() - 1);
  EXPECT_EQ(found.changes.questions, 2 * found.facts);
  EXPECT_NEAR(found.changes.before.mrr, found.changes.after.mrr, 0.01);
  EXPECT_GT(found.changes.before.mrr, 0.1);
}

TEST(CompareRuns, TakesSomeOfTheFactsWhereSoManyAreWanted) {
  RankingOptions few = on(Split::valid);
  few.facts = 5;
  const RunRanks found = compare_ranks(learned().first, learned().first, few).value();
  EXPECT_EQ(found.changes.questions, 10U);
  EXPECT_TRUE(found.changes.changes.empty());
}

TEST(CompareRuns, KnowsTheRulesThatOnlyOneHas) {
  RulesOptions options;
  options.top = 0;
  options.each = 5;
  options.questions = 20;
  const RuleReport before = learned().first.rules(options).value();
  const RuleReport after = learned().second.rules(options).value();
  const Dataset& data = *learned().first.data().value();
  const RulesApart apart = compare_rules(before, data, after, data);
  EXPECT_EQ(apart.kept + apart.gained.size(), after.rules.size());
  EXPECT_EQ(apart.kept + apart.lost.size(), before.rules.size());
  const RelationId relations = data.relations.size();
  for (const ReadRule& gained : apart.gained) {
    EXPECT_TRUE(std::ranges::none_of(before.rules, [&](const ReadRule& old) {
      return same_rule(old.rule, gained.rule, relations);
    }));
  }
  EXPECT_TRUE(compare_rules(before, data, before, data).gained.empty());
}

}  // namespace
}  // namespace lerpp
