// SPDX-License-Identifier: Apache-2.0
#include "train/balance_sample.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include <lerp/base/parallel.hpp>

namespace lerpp {

Result<BalanceSample> BalanceSample::make(const PartScorer& scorer, const RankingPlan& plan,
                                          const Observer& observer) {
  BalanceSample sample(scorer.kinds(), worker_count(plan.options().threads));
  sample.ranks_ = plan.ranks();
  sample.batches_.resize(plan.batches().size());
  std::vector<Workspace> spaces(sample.threads_);
  std::atomic<bool> stopped = false;
  run_blocks(sample.batches_.size(), 1, sample.threads_,
             [&](unsigned worker, std::size_t batch, std::size_t) {
               if (stopped.load(std::memory_order_relaxed) || observer.stopped()) {
                 stopped = true;
                 return;
               }
               sample.ask(scorer, plan, plan.batches()[batch], spaces[worker],
                          sample.batches_[batch]);
             });
  if (stopped) return fail_stopped("weighing evidence", plan.dataset());
  return sample;
}

void BalanceSample::ask(const PartScorer& scorer, const RankingPlan& plan, RankingPlan::Range range,
                        Workspace& space, Batch& batch) const {
  const std::size_t entities = plan.entities();
  space.queries.clear();
  for (std::size_t group = range.first; group < range.last; ++group)
    space.queries.push_back(plan.query(group));
  space.parts.resize(space.queries.size() * kinds_ * entities);
  scorer.score_parts(space.queries, space.parts);

  for (std::size_t group = range.first; group < range.last; ++group) {
    space.candidates.resize(entities);
    std::iota(space.candidates.begin(), space.candidates.end(), 0U);
    // Whatever is known to be right is no candidate.
    for (const Edge& edge : plan.known(group)) space.candidates[edge.target] = plan.entities();
    std::erase(space.candidates, plan.entities());
    const std::span<const float> parts(
        space.parts.data() + (group - range.first) * kinds_ * entities, kinds_ * entities);
    for (const RankingPlan::Asked& asked : plan.asked(group)) {
      batch.places.push_back(asked.place);
      compare(parts, plan.entities(), asked.answer, space, batch);
    }
  }
  batch.differences.shrink_to_fit();
}

void BalanceSample::compare(std::span<const float> parts, EntityId entities, EntityId answer,
                            Workspace& space, Batch& batch) const {
  Answer compared;
  space.open.clear();
  for (const EntityId candidate : space.candidates) {
    bool more = false;
    bool less = false;
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      const float* scores = parts.data() + kind * entities;
      more = more || scores[candidate] > scores[answer];
      less = less || scores[candidate] < scores[answer];
    }
    if (more && less) {
      space.open.push_back(candidate);
    } else if (more) {
      ++compared.always.greater;
    } else if (!less) {
      ++compared.always.equal;
    }
  }
  compared.first = batch.differences.size();
  compared.count = space.open.size();
  for (std::size_t kind = 0; kind < kinds_; ++kind) {
    const float* scores = parts.data() + kind * entities;
    for (const EntityId candidate : space.open)
      batch.differences.push_back(scores[candidate] - scores[answer]);
  }
  batch.answers.push_back(compared);
}

Rank BalanceSample::rank(const Batch& batch, const Answer& answer,
                         std::span<const float> factors) const {
  // In pieces on the stack, kind by kind: loops that a compiler makes vectors of.
  constexpr std::size_t piece = 256;
  std::array<float, piece> sums;
  Rank rank = answer.always;
  for (std::size_t first = 0; first < answer.count; first += piece) {
    const std::size_t size = std::min(piece, answer.count - first);
    std::fill_n(sums.begin(), size, 0.0F);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      const float* differences =
          batch.differences.data() + answer.first + kind * answer.count + first;
      const float factor = factors[kind];
      for (std::size_t i = 0; i < size; ++i) sums[i] += factor * differences[i];
    }
    std::uint32_t greater = 0;
    std::uint32_t equal = 0;
    for (std::size_t i = 0; i < size; ++i) {
      greater += sums[i] > 0 ? 1U : 0U;
      equal += sums[i] == 0 ? 1U : 0U;
    }
    rank.greater += greater;
    rank.equal += equal;
  }
  return rank;
}

double BalanceSample::mrr(std::span<const float> factors) const {
  std::vector<double> inverse(ranks_);
  run_blocks(batches_.size(), 4, threads_, [&](unsigned, std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      const Batch& batch = batches_[at];
      for (std::size_t i = 0; i < batch.answers.size(); ++i)
        inverse[batch.places[i]] = 1 / rank(batch, batch.answers[i], factors).realistic();
    }
  });
  // In the order of the facts, whatever the threads.
  return std::accumulate(inverse.begin(), inverse.end(), 0.0) / static_cast<double>(ranks_);
}

std::size_t BalanceSample::bytes() const {
  std::size_t bytes = 0;
  for (const Batch& batch : batches_) {
    bytes += batch.differences.capacity() * sizeof(float) +
             batch.answers.capacity() * sizeof(Answer) +
             batch.places.capacity() * sizeof(std::size_t);
  }
  return bytes;
}

}  // namespace lerpp
