// SPDX-License-Identifier: Apache-2.0
#include "train/embedding_stage.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "embed/choose_mix.hpp"
#include "model/embedding_parts.hpp"
#include "model/embedding_scorer.hpp"
#include "train/epoch_report.hpp"

namespace lerpp {
namespace {

EmbeddingSettings settings_of(const TrainOptions& options) {
  return {options.embedding.rate, options.embedding.n3, options.embedding.batch,
          options.train.seed};
}

EmbeddingState first_state(const ModelShape& shape, std::uint64_t seed) {
  EmbeddingState state;
  state.parameters = initial_parameters<float>(shape, seed);
  state.best = state.parameters;
  state.squares = Parameters<float>(shape);
  return state;
}

}  // namespace

EmbeddingStage::EmbeddingStage(const Dataset& dataset, const TrainOptions& options,
                               const Observer& observer, const Graph& graph, Team& team,
                               const Model& rules, const Hooks& hooks,
                               std::optional<EmbeddingState>& state)
    : dataset_(dataset),
      options_(options),
      observer_(observer),
      team_(team),
      hooks_(hooks),
      shape_(embedding_of(shape_of(options, graph.relations(), graph.entities()))),
      state_(state ? *state : state.emplace(first_state(shape_, options.train.seed))),
      trainer_(graph, shape_, settings_of(options), team) {
  if (validates()) rules_ = make_scorer(rules.parameters, rules.paths, graph, team.size());
}

bool EmbeddingStage::validates() const {
  return !options_.train.on_valid && !dataset_[Split::valid].empty();
}

Result<Parameters<float>> EmbeddingStage::run() {
  EpochPlan plan{options_.embedding.epochs, 0, options_.train.checkpoint_seconds};
  plan.stage = "embedding epoch";
  plan.rate = "embedding.rate";
  LERP_CHECK(learn_epochs(*this, state_, plan, observer_));
  Parameters<float> chosen = state_.best;
  if (!validates()) return chosen;
  const Clock::time_point start = Clock::now();
  LERP_CHECK(choose_mix(*rules_, dataset_, team_, observer_, chosen));
  LERP_TRY(best, best_ranked(std::move(chosen)));
  state_.seconds += seconds_since(start);
  return std::move(best);
}

Result<double> EmbeddingStage::learn(std::uint64_t batch, bool& /*save*/) {
  return trainer_.learn(batch, state_.parameters, state_.squares);
}

Result<bool> EmbeddingStage::gather() {
  return std::ranges::all_of(state_.parameters.values(),
                             [](float value) { return std::isfinite(value); });
}

Result<double> EmbeddingStage::score() {
  valid_.reset();
  if (!validates()) return state_.epoch;
  LERP_TRY(ranked, rank_valid(state_.parameters));
  valid_ = ranked;
  return ranked.realistic.mrr;
}

Result<Protocols> EmbeddingStage::rank_valid(const Parameters<float>& embedding) const {
  // The same facts as those that chose among the rules.
  RankingOptions ranking;
  ranking.split = Split::valid;
  ranking.threads = options_.train.threads;
  ranking.facts = options_.valid.facts;
  LERP_TRY(ranked, rank(EmbeddingScorer(rules_, embedding), dataset_, ranking, observer_));
  return ranked.both;
}

Result<Parameters<float>> EmbeddingStage::best_ranked(Parameters<float> chosen) const {
  LERP_TRY(best, rank_valid(chosen));
  for (const float mix : {1.0F, 0.0F}) {
    Parameters<float> other = state_.best;
    for (OperatorId target = 0; target < shape_.operators(); ++target)
      other.of(Part::mix, target)[0] = mix;
    LERP_TRY(ranked, rank_valid(other));
    if (ranked.realistic.mrr <= best.realistic.mrr) continue;
    best = ranked;
    chosen = std::move(other);
  }
  return chosen;
}

Result<void> EmbeddingStage::report(const EpochSummary& summary) {
  if (!hooks_.epoch) return {};
  EpochReport report;
  report.stage = "embedding";
  report.valid = valid_;
  report.rate = options_.embedding.rate;
  return hooks_.epoch(filled(std::move(report), summary));
}

}  // namespace lerpp
