// SPDX-License-Identifier: Apache-2.0
#include <mutex>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lerp/base/json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/eval/answer_ranks.hpp>
#include <lerp/eval/ranking_plan.hpp>

#include "eval/count_keys.hpp"
#include "eval/oracle.hpp"
#include "support/any_fact.hpp"

namespace lerpp {
namespace {

constexpr EntityId entities = 7;
constexpr RelationId relations = 3;

std::vector<Fact> any_facts() {
  const auto facts = *rc::gen::container<std::vector<Fact>>(test::any_fact(entities, relations));
  const std::set<Fact> once(facts.begin(), facts.end());
  return {once.begin(), once.end()};
}

Dataset empty_dataset() {
  Dataset dataset;
  dataset.name = "toy";
  for (EntityId e = 0; e < entities; ++e) dataset.entities.intern(fmt::format("e{}", e));
  for (RelationId r = 0; r < relations; ++r) dataset.relations.intern(fmt::format("r{}", r));
  return dataset;
}

/// Answers from a table, and notes what it was asked.
class TableScorer : public Scorer {
 public:
  explicit TableScorer(std::map<Query, Scores> table, std::size_t batch)
      : table_(std::move(table)), batch_(batch) {}

  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    const std::scoped_lock lock(mutex_);
    fits_ = fits_ && queries.size() == scores.size() && queries.size() <= batch_;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      fits_ = fits_ && queries[i].target == queries[0].target && asked_.insert(queries[i]).second;
      scores[i] = table_.at(queries[i]);
    }
  }
  /// Batches are of one target and not too large, and no query is asked twice.
  bool fits() const { return fits_; }

 private:
  std::map<Query, Scores> table_;
  std::size_t batch_;
  mutable std::mutex mutex_;
  mutable std::set<Query> asked_;
  mutable bool fits_ = true;
};

/// The measures of a list of ranks, summed as the definition says.
Protocols slow_protocols(const std::vector<Rank>& ranks) {
  Protocols result;
  result.queries = ranks.size();
  const auto count = static_cast<double>(ranks.size());
  const auto measures = [&](auto&& rank_of) {
    Measures m;
    for (const Rank& rank : ranks) {
      const double value = rank_of(rank);
      m.mrr += 1 / value / count;
      m.hits_at_1 += value <= 1 ? 1 / count : 0;
      m.hits_at_3 += value <= 3 ? 1 / count : 0;
      m.hits_at_10 += value <= 10 ? 1 / count : 0;
      m.mean_rank += value / count;
    }
    return m;
  };
  for (const Rank& rank : ranks) result.tied += rank.equal > 0 ? 1 / count : 0;
  result.optimistic = measures([](Rank r) { return static_cast<double>(r.greater) + 1; });
  result.realistic = measures(
      [](Rank r) { return static_cast<double>(r.greater) + 1 + static_cast<double>(r.equal) / 2; });
  result.pessimistic =
      measures([](Rank r) { return static_cast<double>(r.greater + r.equal) + 1; });
  return result;
}

bool near(const Measures& a, const Measures& b) {
  const auto close = [](double x, double y) { return std::abs(x - y) < 1e-9; };
  return close(a.mrr, b.mrr) && close(a.hits_at_1, b.hits_at_1) &&
         close(a.hits_at_3, b.hits_at_3) && close(a.hits_at_10, b.hits_at_10) &&
         close(a.mean_rank, b.mean_rank);
}

bool near(const Protocols& a, const Protocols& b) {
  return a.queries == b.queries && std::abs(a.tied - b.tied) < 1e-9 &&
         near(a.optimistic, b.optimistic) && near(a.realistic, b.realistic) &&
         near(a.pessimistic, b.pessimistic);
}

bool ordered(const Protocols& p) {
  return p.optimistic.mrr >= p.realistic.mrr && p.realistic.mrr >= p.pessimistic.mrr &&
         p.optimistic.hits_at_10 >= p.realistic.hits_at_10 &&
         p.realistic.hits_at_10 >= p.pessimistic.hits_at_10 &&
         p.optimistic.mean_rank <= p.realistic.mean_rank &&
         p.realistic.mean_rank <= p.pessimistic.mean_rank;
}

RC_GTEST_PROP(FilteredRank, IsTheDefinition, ()) {
  const auto count = *rc::gen::inRange<EntityId>(1, 100);
  const Scores scores = any_scores(count);
  const auto answer = *rc::gen::inRange<EntityId>(0, count);
  const auto known = any_entities(count);
  std::vector<Edge> edges;
  edges.reserve(known.size());
  for (const EntityId entity : known) edges.push_back({0, entity});
  const Rank rank = filtered_rank(scores, count, answer, edges);
  RC_ASSERT(rank == slow_rank(all_scores(scores, count), answer, known));
  RC_ASSERT(rank.optimistic() <= rank.realistic());
  RC_ASSERT(rank.realistic() <= rank.pessimistic());
  RC_ASSERT(rank.pessimistic() <= count);
}

RC_GTEST_PROP(CountKeys, AgreesWithOneByOne, ()) {
  // Long enough for several pieces now and then.
  const auto length = *rc::gen::weightedOneOf<std::size_t>(
      {{9, rc::gen::inRange<std::size_t>(0, 100)}, {1, rc::gen::inRange<std::size_t>(4000, 9000)}});
  const auto seed = *rc::gen::container<std::vector<float>>(16, any_score());
  std::vector<float> scores(length);
  for (std::size_t i = 0; i < length; ++i) scores[i] = seed[i * i % 16];
  std::vector<ScoreKey> keys(length);
  make_keys(scores, keys);
  for (std::size_t i = 0; i < length; ++i) RC_ASSERT(keys[i] == key_of(scores[i]));

  std::vector<ScoreKey> answers;
  for (const float score : *rc::gen::container<std::vector<float>>(any_score())) {
    answers.push_back(key_of(score));
  }
  std::vector<Rank> ranks(answers.size());
  count_keys(keys, answers, ranks);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Rank expected;
    for (const ScoreKey key : keys) {
      expected.greater += key > answers[i] ? 1 : 0;
      expected.equal += key == answers[i] ? 1 : 0;
    }
    RC_ASSERT(ranks[i] == expected);
  }
}

RC_GTEST_PROP(Ranking, IsTheDefinitionForAnyThreadsAndBatches, ()) {
  Dataset dataset = empty_dataset();
  for (const Split split : all_splits) dataset[split] = any_facts();
  const Split split = *rc::gen::element(Split::valid, Split::test, Split::train);
  RC_PRE(!dataset[split].empty());
  std::map<Query, Scores> table;
  std::map<Query, std::set<EntityId>> known;
  for (OperatorId target = 0; target < 2 * relations; ++target) {
    for (EntityId start = 0; start < entities; ++start) {
      table[{target, start}] = any_scores(entities);
    }
  }
  for (const auto& facts : dataset.splits) {
    for (const Fact& fact : facts) {
      known[{fact.relation, fact.subject}].insert(fact.object);
      known[{relations + fact.relation, fact.object}].insert(fact.subject);
    }
  }

  const auto options = [&] {
    return RankingOptions{split, exactly(*rc::gen::inRange(1U, 4U)),
                          *rc::gen::inRange<std::size_t>(1, 6)};
  };
  const RankingOptions first = options();
  const TableScorer scorer(table, first.batch);
  const auto report = rank(scorer, dataset, first);
  RC_ASSERT(report.has_value());
  RC_ASSERT(scorer.fits());

  std::vector<Rank> all;
  std::vector<Rank> heads;
  std::vector<Rank> tails;
  std::map<std::string, std::array<std::vector<Rank>, 2>> by_relation;
  for (const Fact& fact : dataset[split]) {
    const auto slow = [&](Query query, EntityId answer) {
      auto others = known[query];
      others.erase(answer);
      return slow_rank(all_scores(table[query], entities), answer, others);
    };
    tails.push_back(slow({fact.relation, fact.subject}, fact.object));
    heads.push_back(slow({relations + fact.relation, fact.object}, fact.subject));
    auto& [head, tail] = by_relation[fmt::format("r{}", fact.relation)];
    head.push_back(heads.back());
    tail.push_back(tails.back());
  }
  all = heads;
  all.insert(all.end(), tails.begin(), tails.end());
  RC_ASSERT(near(report->both, slow_protocols(all)));
  RC_ASSERT(near(report->head, slow_protocols(heads)));
  RC_ASSERT(near(report->tail, slow_protocols(tails)));
  RC_ASSERT(report->relations.size() == by_relation.size());
  for (const RankingReport::Relation& relation : report->relations) {
    const auto& [head, tail] = by_relation.at(relation.name);
    auto both = head;
    both.insert(both.end(), tail.begin(), tail.end());
    RC_ASSERT(near(relation.head, slow_protocols(head)));
    RC_ASSERT(near(relation.tail, slow_protocols(tail)));
    RC_ASSERT(near(relation.both, slow_protocols(both)));
    RC_ASSERT(ordered(relation.both));
  }
  RC_ASSERT(ordered(report->both) && ordered(report->head) && ordered(report->tail));

  const auto answers = rank_answers(TableScorer(table, first.batch), dataset, first);
  RC_ASSERT(answers.has_value() && answers->size() == all.size());
  for (std::size_t i = 0; i < answers->size(); ++i) {
    const auto& [fact, tail, score, found] = (*answers)[i];
    RC_ASSERT(fact == dataset[split][i / 2] && tail == (i % 2 == 0));
    RC_ASSERT(found == (tail ? tails : heads)[i / 2]);
    const Query query =
        tail ? Query{fact.relation, fact.subject} : Query{relations + fact.relation, fact.object};
    const EntityId answer = tail ? fact.object : fact.subject;
    RC_ASSERT(key_of(score) == key_of(all_scores(table[query], entities)[answer]));
  }

  // Not a digit differs.
  const RankingOptions second = options();
  const auto again = rank(TableScorer(table, second.batch), dataset, second);
  Json one = to_json(*report);
  Json other = to_json(*again);
  one.erase("seconds");
  other.erase("seconds");
  RC_ASSERT(one.dump() == other.dump());
}

TEST(Ranking, SaysThatASplitIsEmpty) {
  const auto report = rank(TableScorer({}, 64), empty_dataset(), {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().what, "split test of toy has no facts");
  EXPECT_FALSE(report.error().remedy.empty());
}

/// Every entity scores as its number.
class NumberScorer : public Scorer {
 public:
  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto values = scores[i].dense(entities);
      for (EntityId e = 0; e < entities; ++e) values[e] = static_cast<float>(e);
    }
  }
};

TEST(Ranking, FindsTheRanksOfASmallCase) {
  // r0(e1, e4) with e6 and e5 known from other splits, e4 itself too: ranks 1 (tail), 6 (head).
  Dataset dataset = empty_dataset();
  dataset[Split::test] = {{1, 0, 4}};
  dataset[Split::valid] = {{1, 0, 5}, {1, 0, 4}};
  dataset[Split::facts] = {{1, 0, 6}, {1, 1, 6}};
  const auto report = rank(NumberScorer(), dataset, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->both.queries, 2U);
  EXPECT_EQ(report->both.tied, 0);
  EXPECT_DOUBLE_EQ(report->tail.realistic.mrr, 1);
  EXPECT_DOUBLE_EQ(report->head.realistic.mean_rank, 6);
  EXPECT_DOUBLE_EQ(report->both.realistic.mrr, (1 + 1.0 / 6) / 2);
  EXPECT_DOUBLE_EQ(report->both.realistic.hits_at_3, 0.5);
}

TEST(Ranking, ReportsProgressToTheEnd) {
  Dataset dataset = empty_dataset();
  for (EntityId e = 0; e < entities; ++e) dataset[Split::test].push_back({e, 0, 0});
  Progress last;
  Observer observer;
  observer.progress = [&](const Progress& progress) { last = progress; };
  ASSERT_TRUE(rank(NumberScorer(), dataset, {Split::test, 2, 1}, observer));
  EXPECT_EQ(last.stage, "ranking");
  EXPECT_EQ(last.unit, "queries");
  EXPECT_EQ(last.done, 2 * entities);
  EXPECT_EQ(last.total, 2 * entities);
}

TEST(Ranking, StopsWhenAsked) {
  Dataset dataset = empty_dataset();
  dataset[Split::test] = {{1, 0, 4}};
  std::stop_source source;
  source.request_stop();
  const auto report = rank(NumberScorer(), dataset, {}, {{}, source.get_token()});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::interrupted);
}

Json without_seconds(const RankingReport& report) {
  Json json = to_json(report);
  json.erase("seconds");
  return json;
}

/// Scores that depend on query and entity, with ties.
class MixingScorer : public Scorer {
 public:
  explicit MixingScorer(EntityId count) : count_(count) {}
  void score(std::span<const Query> queries, std::span<Scores> scores) const override {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto values = scores[i].dense(count_);
      for (EntityId e = 0; e < count_; ++e)
        values[e] = static_cast<float>((queries[i].start * 7 + queries[i].target * 5 + e * e) % 11);
    }
  }

 private:
  EntityId count_;
};

RC_GTEST_PROP(RankingPlan, KnowsWhatTheFullGraphKnows, ()) {
  Dataset dataset = empty_dataset();
  for (const Split split : all_splits) dataset[split] = any_facts();
  RC_PRE(!dataset[Split::test].empty());
  const auto plan = RankingPlan::make(dataset, {Split::test, exactly(3)});
  RC_ASSERT(plan.has_value());
  const Graph full = dataset.full_graph();
  std::set<std::size_t> places;
  for (std::size_t group = 0; group < plan->groups(); ++group) {
    const Query& query = plan->query(group);
    const auto known = plan->known(group);
    const auto expected = full.edges(query.start, query.target);
    RC_ASSERT(std::vector(known.begin(), known.end()) ==
              std::vector(expected.begin(), expected.end()));
    for (const RankingPlan::Asked& asked : plan->asked(group)) places.insert(asked.place);
  }
  RC_ASSERT(places.size() == 2 * dataset[Split::test].size());
  RC_ASSERT(plan->ranks() == places.size());
}

// Whatever the number of processes, what they rank adds up to the same.
RC_GTEST_PROP(RankingPlan, SharesAddUp, ()) {
  Dataset dataset = empty_dataset();
  for (const Split split : all_splits) dataset[split] = any_facts();
  RC_PRE(!dataset[Split::test].empty());
  const MixingScorer scorer(entities);
  const auto plan =
      RankingPlan::make(dataset, {Split::test, exactly(2), *rc::gen::inRange<std::size_t>(1, 6)});
  const auto whole = rank_share(scorer, *plan, {});
  const auto parts = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<Rank> sum(plan->ranks());
  for (std::size_t part = 0; part < parts; ++part) {
    const auto share = rank_share(scorer, *plan, {part, parts});
    RC_ASSERT(share->size() == sum.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (*share)[i];
  }
  RC_ASSERT(sum == *whole);
  const auto report = rank(scorer, dataset, {Split::test, 1});
  RC_ASSERT(without_seconds(report_ranks(*plan, sum)) == without_seconds(*report));
  RC_ASSERT(without_seconds(*rank(scorer, *plan)) == without_seconds(*report));
}

TEST(RankingPlan, BatchesAreOfOneTargetAndEndSmall) {
  Dataset dataset;
  for (EntityId e = 0; e < 3000; ++e) dataset.entities.intern(fmt::format("e{}", e));
  for (RelationId r = 0; r < 2; ++r) dataset.relations.intern(fmt::format("r{}", r));
  for (EntityId e = 0; e + 1 < 3000; ++e) dataset[Split::test].push_back({e, e % 3 / 2, e + 1});
  const auto plan = RankingPlan::make(dataset, {});
  ASSERT_TRUE(plan);
  std::size_t next = 0;
  for (const RankingPlan::Range& batch : plan->batches()) {
    EXPECT_EQ(batch.first, next);
    EXPECT_LT(batch.first, batch.last);
    EXPECT_LE(batch.last - batch.first, 64U);
    EXPECT_EQ(plan->query(batch.first).target, plan->query(batch.last - 1).target);
    next = batch.last;
  }
  EXPECT_EQ(next, plan->groups());
  EXPECT_EQ(plan->batches().front().last, 64U);
  EXPECT_LE(plan->batches().back().last - plan->batches().back().first, 4U);
  // Sixteen threads have several batches each.
  EXPECT_GT(plan->batches().size(), 16U * 8);
}

/// Asks to stop when it is asked itself.
class StoppingScorer : public Scorer {
 public:
  void score(std::span<const Query>, std::span<Scores> scores) const override {
    ++calls;
    source.request_stop();
    for (Scores& one : scores) one.clear();
  }
  mutable std::atomic<unsigned> calls = 0;
  mutable std::stop_source source;
};

TEST(RankingPlan, StopsBetweenBatches) {
  Dataset dataset = empty_dataset();
  for (EntityId e = 0; e < entities; ++e) dataset[Split::test].push_back({e, 0, 0});
  const StoppingScorer scorer;
  const auto plan = RankingPlan::make(dataset, {Split::test, exactly(2), 1});
  const auto report = rank(scorer, *plan, {{}, scorer.source.get_token()});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::interrupted);
  EXPECT_LE(scorer.calls, 2U);
}

}  // namespace
}  // namespace lerpp
