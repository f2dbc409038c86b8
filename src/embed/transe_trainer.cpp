// SPDX-License-Identifier: Apache-2.0
#include "embed/transe_trainer.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <lerp/base/parallel.hpp>

#include "base/adam_step.hpp"
#include "base/random.hpp"
#include "base/schedule.hpp"

namespace lerpp {
namespace {

TransELoss<float>::Settings settings_of(const EmbedOptions& options) {
  return {options.margin, options.eta, options.variant == "entropy" ? options.gamma : 0};
}

}  // namespace

TransETrainer::TransETrainer(const Graph& graph, const TransEShape& shape,
                             const EmbedOptions& options, Team& team)
    : options_(options),
      relations_(shape.relations),
      team_(team),
      loss_(graph, shape, settings_of(options), team),
      queries_(graph, options.batch, options.seed),
      mask_(graph),
      candidates_(options.negatives < shape.entities ? shape.entities : 0),
      gradient_(shape) {}

void TransETrainer::start_epoch(std::uint32_t epoch, double share_of_rate) {
  epoch_ = epoch;
  share_ = share_of_rate;
  queries_.start_epoch(epoch);
}

/// None where all entities count.
std::span<const EntityId> TransETrainer::draw_candidates(std::size_t batch) {
  if (candidates_.empty()) return {};
  std::iota(candidates_.begin(), candidates_.end(), EntityId{0});
  std::uint64_t stream = options_.seed + epoch_;
  Random random(split_mix(stream), batch);
  for (std::size_t i = 0; i < options_.negatives; ++i)
    std::swap(candidates_[i], candidates_[i + random.below(candidates_.size() - i)]);
  return std::span(candidates_).first(options_.negatives);
}

const Mask* TransETrainer::hide(std::span<const EmbeddingQuery> queries) {
  if (options_.seen) return nullptr;
  hidden_.clear();
  for (const EmbeddingQuery& query : queries) {
    const bool tail = query.target < relations_;
    hidden_.push_back(tail ? Fact{query.start, query.target, query.answer}
                           : Fact{query.answer, query.target - relations_, query.start});
  }
  mask_.hide(hidden_);
  return &mask_;
}

void TransETrainer::step(double rate, EmbedState& state) {
  ++state.steps;
  // In the order of blocks().
  const std::array pace = {options_.pace, 1.0, 1.0, options_.pace};
  team_.run([&](unsigned worker) {
    for (std::size_t block = 0; block < gradient_.blocks().size(); ++block) {
      const AdamStep adam{rate * pace[block], 0, state.steps};
      const std::span<float> d = gradient_.blocks()[block];
      const auto [first, last] = slice(d.size(), worker, team_.size());
      const auto own = [from = first, count = last - first](std::span<float> all) {
        return all.subspan(from, count);
      };
      adam.move(own(state.parameters.blocks()[block]), own(d), own(state.first.blocks()[block]),
                own(state.second.blocks()[block]));
      std::ranges::fill(own(d), 0.0F);
    }
  });
}

TransELosses TransETrainer::learn(std::size_t batch, EmbedState& state) {
  const std::span<const EmbeddingQuery> queries = queries_[batch];
  const TransELosses losses =
      loss_.learn(state.parameters, queries, draw_candidates(batch), hide(queries), gradient_);
  const double done =
      (epoch_ + static_cast<double>(batch) / static_cast<double>(queries_.batches())) /
      options_.epochs;
  step(options_.rate * share_ * share_of_rate(options_.schedule, done), state);
  return losses;
}

}  // namespace lerpp
