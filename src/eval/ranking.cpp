// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>

#include <lerp/base/parallel.hpp>
#include <lerp/eval/answer_ranks.hpp>
#include <lerp/eval/ranking_plan.hpp>

#include "base/clock.hpp"
#include "eval/ranker.hpp"

namespace lerpp {
namespace {

/// Tells the observer of progress from several threads, a few times a second.
class Reporter {
 public:
  Reporter(const Observer& observer, std::size_t total) : observer_(observer), total_(total) {}

  void add(std::size_t queries) {
    const std::size_t done = done_ += queries;
    if (!observer_.progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || done <= told_ || Clock::now() < next_) return;
    tell(done);
  }
  void finish() { tell(total_); }

 private:
  void tell(std::size_t done) {
    told_ = done;
    next_ = Clock::now() + std::chrono::milliseconds(50);
    observer_.report({"ranking", done, total_, "queries", {}});
  }

  const Observer& observer_;
  std::size_t total_;
  std::atomic<std::size_t> done_ = 0;
  std::mutex mutex_;
  std::size_t told_ = 0;
  Clock::time_point next_;
};

/// What one thread keeps from batch to batch, away from what others write.
struct alignas(64) Worker {
  std::vector<Query> queries;
  std::vector<Scores> scores;
  std::vector<EntityId> answers;
  std::vector<Rank> ranks;
  Ranker ranker;
};

float score_of_answer(const Scores& scores, EntityId answer) {
  if (scores.is_dense()) return scores.values[answer];
  const auto listed = std::ranges::find(scores.entities, answer);
  if (listed == scores.entities.end()) return scores.rest;
  return scores.values[static_cast<std::size_t>(listed - scores.entities.begin())];
}

/// What is found of every answer, at its place. Scores only where there is room for them.
struct Found {
  std::span<Rank> ranks;
  std::span<float> scores;
};

/// Scores one batch and puts what is found of every answer in its place. Returns how many there
/// were.
std::size_t rank_batch(const Scorer& scorer, const RankingPlan& plan, RankingPlan::Range batch,
                       Worker& worker, const Found& found) {
  const std::size_t size = batch.last - batch.first;
  worker.queries.clear();
  for (std::size_t group = batch.first; group < batch.last; ++group)
    worker.queries.push_back(plan.query(group));
  if (worker.scores.size() < size) worker.scores.resize(size);
  scorer.score(worker.queries, {worker.scores.data(), size});

  std::size_t count = 0;
  for (std::size_t group = batch.first; group < batch.last; ++group) {
    const std::span<const RankingPlan::Asked> asked = plan.asked(group);
    worker.answers.clear();
    for (const RankingPlan::Asked& one : asked) worker.answers.push_back(one.answer);
    worker.ranks.resize(asked.size());
    const Scores& scores = worker.scores[group - batch.first];
    worker.ranker.rank(scores, plan.entities(), worker.answers, plan.known(group), worker.ranks);
    for (std::size_t i = 0; i < asked.size(); ++i) found.ranks[asked[i].place] = worker.ranks[i];
    if (!found.scores.empty()) {
      for (const RankingPlan::Asked& one : asked)
        found.scores[one.place] = score_of_answer(scores, one.answer);
    }
    count += asked.size();
  }
  return count;
}

void add(Measures& sums, double rank) {
  sums.mrr += 1 / rank;
  sums.hits_at_1 += rank <= 1 ? 1 : 0;
  sums.hits_at_3 += rank <= 3 ? 1 : 0;
  sums.hits_at_10 += rank <= 10 ? 1 : 0;
  sums.mean_rank += rank;
}

void add(Protocols& sums, const Rank& rank) {
  assert(1 <= rank.optimistic() && rank.optimistic() <= rank.realistic() &&
         rank.realistic() <= rank.pessimistic());
  ++sums.queries;
  sums.tied += rank.equal > 0 ? 1 : 0;
  add(sums.optimistic, rank.optimistic());
  add(sums.realistic, rank.realistic());
  add(sums.pessimistic, rank.pessimistic());
}

void sums_to_means(Protocols& sums) {
  if (sums.queries == 0) return;
  const auto count = static_cast<double>(sums.queries);
  sums.tied /= count;
  for (Measures* measures : {&sums.optimistic, &sums.realistic, &sums.pessimistic}) {
    measures->mrr /= count;
    measures->hits_at_1 /= count;
    measures->hits_at_3 /= count;
    measures->hits_at_10 /= count;
    measures->mean_rank /= count;
  }
  assert(sums.pessimistic.mrr <= sums.realistic.mrr && sums.realistic.mrr <= sums.optimistic.mrr);
}

}  // namespace

// Sums in the order of the facts, so that neither threads nor batches change a digit.
RankingReport report_ranks(const RankingPlan& plan, std::span<const Rank> ranks) {
  assert(ranks.size() == plan.ranks());
  RankingReport report;
  report.dataset = plan.dataset();
  report.split = plan.options().split;
  const std::span<const Fact> facts = plan.facts();
  std::vector<RankingReport::Relation> relations;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (relations.size() <= facts[i].relation) relations.resize(facts[i].relation + std::size_t{1});
    RankingReport::Relation& relation = relations[facts[i].relation];
    for (Protocols* sums : {&report.both, &report.tail, &relation.both, &relation.tail}) {
      add(*sums, ranks[2 * i]);
    }
    for (Protocols* sums : {&report.both, &report.head, &relation.both, &relation.head}) {
      add(*sums, ranks[2 * i + 1]);
    }
  }
  for (Protocols* sums : {&report.both, &report.head, &report.tail}) sums_to_means(*sums);
  for (RelationId id = 0; id < relations.size(); ++id) {
    RankingReport::Relation& relation = relations[id];
    if (relation.both.queries == 0) continue;
    relation.name = plan.relation(id);
    for (Protocols* sums : {&relation.both, &relation.head, &relation.tail}) sums_to_means(*sums);
    report.relations.push_back(std::move(relation));
  }
  return report;
}

namespace {

Result<void> find_share(const Scorer& scorer, const RankingPlan& plan, RankingShare share,
                        const Found& found, const Observer& observer) {
  assert(share.part < share.parts);
  const std::span<const RankingPlan::Range> batches = plan.batches();
  const std::size_t count = (batches.size() + share.parts - 1 - share.part) / share.parts;
  const unsigned workers = static_cast<unsigned>(
      std::clamp<std::size_t>(count, 1, worker_count(plan.options().threads)));
  std::vector<Worker> state(workers);
  Reporter reporter(observer, plan.ranks() / share.parts);
  std::atomic<bool> stopped = false;
  run_blocks(count, 1, workers, [&](unsigned worker, std::size_t batch, std::size_t) {
    if (stopped.load(std::memory_order_relaxed) || observer.stopped()) {
      stopped = true;
      return;
    }
    reporter.add(
        rank_batch(scorer, plan, batches[batch * share.parts + share.part], state[worker], found));
  });
  if (stopped) return fail_stopped("ranking", plan.dataset());
  reporter.finish();
  return {};
}

}  // namespace

Result<std::vector<Rank>> rank_share(const Scorer& scorer, const RankingPlan& plan,
                                     RankingShare share, const Observer& observer) {
  std::vector<Rank> ranks(plan.ranks());
  LERP_CHECK(find_share(scorer, plan, share, {ranks, {}}, observer));
  return ranks;
}

Result<std::vector<AnswerRank>> rank_answers(const Scorer& scorer, const Dataset& dataset,
                                             const RankingOptions& options,
                                             const Observer& observer) {
  LERP_TRY(plan, RankingPlan::make(dataset, options, observer));
  std::vector<Rank> ranks(plan.ranks());
  std::vector<float> scores(plan.ranks());
  LERP_CHECK(find_share(scorer, plan, {}, {ranks, scores}, observer));
  std::vector<AnswerRank> answers(plan.ranks());
  for (std::size_t i = 0; i < answers.size(); ++i)
    answers[i] = {plan.facts()[i / 2], i % 2 == 0, scores[i], ranks[i]};
  return answers;
}

Result<RankingReport> rank(const Scorer& scorer, const RankingPlan& plan,
                           const Observer& observer) {
  const auto began = Clock::now();
  LERP_TRY(ranks, rank_share(scorer, plan, {}, observer));
  RankingReport report = report_ranks(plan, ranks);
  report.seconds = seconds_since(began);
  return report;
}

Result<RankingReport> rank(const Scorer& scorer, const Dataset& dataset,
                           const RankingOptions& options, const Observer& observer) {
  const auto began = Clock::now();
  LERP_TRY(plan, RankingPlan::make(dataset, options, observer));
  LERP_TRY(report, rank(scorer, plan, observer));
  report.seconds = seconds_since(began);
  return report;
}

}  // namespace lerpp
