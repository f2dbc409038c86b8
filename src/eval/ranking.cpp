#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>

#include <fmt/format.h>

#include <lerp/base/parallel.hpp>
#include <lerp/eval/ranking.hpp>

#include "base/clock.hpp"
#include "eval/ranker.hpp"

namespace lerpp {
namespace {

/// One answer to be ranked; `place` is where its rank goes.
struct Asked {
  Query query;
  EntityId answer = 0;
  std::size_t place = 0;

  bool operator<(const Asked& other) const {
    return query != other.query ? query < other.query : answer < other.answer;
  }
};

/// A query with its answers [first, last) in the list of what is asked.
struct Group {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Everything that is asked, sorted: the scorer sees a query once, with all of its answers, and
/// a batch holds queries of one target.
struct Plan {
  std::vector<Asked> asked;
  std::vector<Group> groups;
  std::vector<Group> batches;  ///< ranges of groups
};

/// Fact i has its tail query at place 2i and its head query at 2i + 1.
Plan make_plan(std::span<const Fact> facts, RelationId relations, std::size_t batch) {
  Plan plan;
  plan.asked.reserve(2 * facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Fact& fact = facts[i];
    plan.asked.push_back({{fact.relation, fact.subject}, fact.object, 2 * i});
    plan.asked.push_back({{relations + fact.relation, fact.object}, fact.subject, 2 * i + 1});
  }
  std::sort(plan.asked.begin(), plan.asked.end());
  OperatorId target = 0;
  for (std::size_t first = 0; first < plan.asked.size();) {
    const Query& query = plan.asked[first].query;
    std::size_t last = first + 1;
    while (last < plan.asked.size() && plan.asked[last].query == query) ++last;
    const std::size_t group = plan.groups.size();
    if (plan.batches.empty() || query.target != target ||
        group - plan.batches.back().first == batch) {
      plan.batches.push_back({group, group});
    }
    target = query.target;
    plan.groups.push_back({first, last});
    plan.batches.back().last = group + 1;
    first = last;
  }
  return plan;
}

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

/// What one thread keeps from batch to batch.
struct Worker {
  std::vector<Query> queries;
  std::vector<Scores> scores;
  std::vector<EntityId> answers;
  std::vector<Rank> ranks;
  Ranker ranker;
};

/// Scores one batch and puts the rank of every answer in its place. Returns how many there were.
std::size_t rank_batch(const Scorer& scorer, const Graph& full, const Plan& plan, Group batch,
                       Worker& worker, std::span<Rank> ranks) {
  const std::size_t size = batch.last - batch.first;
  worker.queries.clear();
  for (std::size_t group = batch.first; group < batch.last; ++group) {
    worker.queries.push_back(plan.asked[plan.groups[group].first].query);
  }
  if (worker.scores.size() < size) worker.scores.resize(size);
  scorer.score(worker.queries, {worker.scores.data(), size});

  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto [first, last] = plan.groups[batch.first + i];
    const Query& query = worker.queries[i];
    worker.answers.clear();
    for (std::size_t at = first; at < last; ++at) worker.answers.push_back(plan.asked[at].answer);
    worker.ranks.resize(last - first);
    worker.ranker.rank(worker.scores[i], full.entities(), worker.answers,
                       full.edges(query.start, query.target), worker.ranks);
    for (std::size_t at = first; at < last; ++at) {
      ranks[plan.asked[at].place] = worker.ranks[at - first];
    }
    count += last - first;
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

/// Sums in the order of the facts, so that neither threads nor batches change a digit.
void summarise(std::span<const Fact> facts, std::span<const Rank> ranks, const Dataset& dataset,
               RankingReport& report) {
  std::vector<RankingReport::Relation> relations(dataset.relations.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
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
    relation.name = std::string(dataset.relations.name(id));
    for (Protocols* sums : {&relation.both, &relation.head, &relation.tail}) sums_to_means(*sums);
    report.relations.push_back(std::move(relation));
  }
}

/// `count` of the facts, spread evenly; all of them where count is 0 or more than there are.
std::vector<Fact> spread(std::span<const Fact> facts, std::uint64_t count) {
  if (count == 0 || count >= facts.size()) return {facts.begin(), facts.end()};
  std::vector<Fact> some;
  some.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) some.push_back(facts[i * facts.size() / count]);
  return some;
}

}  // namespace

Result<RankingReport> rank(const Scorer& scorer, const Dataset& dataset,
                           const RankingOptions& options, const Observer& observer) {
  const auto began = Clock::now();
  const std::vector<Fact> facts = spread(dataset[options.split], options.facts);
  if (facts.empty()) {
    return fail(fmt::format("split {} of {} has no facts", name_of(options.split), dataset.name),
                {}, "choose a split that has facts");
  }
  if (options.batch == 0) {
    return fail("a ranking batch of 0 queries", {}, "choose at least 1", ErrorKind::usage);
  }
  const Graph full = dataset.full_graph(options.threads);
  const Plan plan = make_plan(facts, full.relations(), options.batch);
  const unsigned workers = static_cast<unsigned>(
      std::min<std::size_t>(worker_count(options.threads), plan.batches.size()));
  std::vector<Rank> ranks(plan.asked.size());
  std::vector<Worker> state(workers);
  Reporter reporter(observer, plan.asked.size());
  std::atomic<bool> stopped = false;
  run_blocks(plan.batches.size(), 1, workers, [&](unsigned worker, std::size_t batch, std::size_t) {
    if (stopped || observer.stopped()) {
      stopped = true;
      return;
    }
    reporter.add(rank_batch(scorer, full, plan, plan.batches[batch], state[worker], ranks));
  });
  if (stopped) return fail_stopped("ranking", dataset.name);
  reporter.finish();

  RankingReport report;
  report.dataset = dataset.name;
  report.split = options.split;
  summarise(facts, ranks, dataset, report);
  report.seconds = seconds_since(began);
  return report;
}

}  // namespace lerpp
