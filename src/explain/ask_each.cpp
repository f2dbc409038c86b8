// SPDX-License-Identifier: Apache-2.0
#include "explain/ask_each.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>

#include <lerp/base/parallel.hpp>

namespace lerpp {
namespace {

constexpr std::size_t most_together = 64;
/// Scores that one thread may hold at once.
constexpr std::size_t most_scores = std::size_t{1} << 22U;

struct QuestionBatch {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Runs of one target, short enough that threads end together.
std::vector<QuestionBatch> batches_of(std::span<const Query> queries, EntityId entities) {
  const std::size_t most =
      std::clamp<std::size_t>(most_scores / std::max(1U, entities), 1, most_together);
  std::vector<QuestionBatch> batches;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool joins = i > 0 && queries[i].target == queries[i - 1].target &&
                       batches.back().last - batches.back().first < most;
    if (!joins) batches.push_back({i, i});
    ++batches.back().last;
  }
  return batches;
}

/// What one thread needs.
struct alignas(64) Worker {
  explicit Worker(bool evidence) : dense(evidence) {}

  std::vector<Scores> scores;
  DenseAnswers dense;
  ListAnswers listed;
};

/// Calls use(i, answers) for each question of a batch.
template <class Use>
void ask_batch(const Asked& asked, std::span<const Query> queries, Worker& worker, const Use& use) {
  const auto known = [&](const Query& query) {
    return asked.graph.edges(query.start, query.target);
  };
  const OperatorId target = queries.front().target;
  if (asked.list != nullptr && asked.list->index().has_base(target)) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::shared_ptr<const ListAsker::Changes> changes = asked.list->ask(queries[i]);
      worker.listed.take(asked.list->index().base(target), *changes);
      worker.listed.know(known(queries[i]));
      use(i, worker.listed);
    }
    return;
  }
  worker.scores.resize(std::max(worker.scores.size(), queries.size()));
  asked.scorer.score(queries, {worker.scores.data(), queries.size()});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    worker.dense.take(worker.scores[i], asked.graph.entities());
    worker.dense.know(known(queries[i]));
    use(i, worker.dense);
  }
}

}  // namespace

Result<void> ask_each(const Asked& asked, std::span<const Query> queries, std::string_view stage,
                      const Observer& observer, const UseAnswers& use) {
  assert(std::ranges::is_sorted(queries));
  if (queries.empty()) return {};
  const EntityId entities = asked.graph.entities();
  const std::vector<QuestionBatch> batches = batches_of(queries, entities);
  const auto workers =
      static_cast<unsigned>(std::min<std::size_t>(batches.size(), worker_count(asked.threads)));
  std::vector<Worker> state(workers, Worker(asked.evidence));
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stopped = false;
  std::mutex telling;
  run_blocks(batches.size(), 1, workers, [&](unsigned worker, std::size_t at, std::size_t) {
    if (stopped.load(std::memory_order_relaxed) || observer.stopped()) {
      stopped = true;
      return;
    }
    const auto [first, last] = batches[at];
    ask_batch(asked, queries.subspan(first, last - first), state[worker],
              [&, first = first](std::size_t i, OpenAnswers& answers) { use(first + i, answers); });
    const std::size_t so_far = done += last - first;
    if (const std::unique_lock lock(telling, std::try_to_lock); lock)
      observer.report({stage, so_far, queries.size(), "questions", {}});
  });
  if (stopped) return fail_stopped(stage);
  return {};
}

void sort_queries(std::vector<Query>& queries) {
  std::ranges::sort(queries);
  queries.erase(std::unique(queries.begin(), queries.end()), queries.end());
}

std::size_t place_of(std::span<const Query> queries, const Query& query) {
  const auto found = std::ranges::lower_bound(queries, query);
  assert(found != queries.end() && *found == query);
  return static_cast<std::size_t>(found - queries.begin());
}

}  // namespace lerpp
