#include "train/embedding_stage.hpp"

#include <cmath>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>

#include "base/clock.hpp"
#include "embed/choose_mix.hpp"
#include "model/embedding_parts.hpp"
#include "model/embedding_scorer.hpp"

namespace lerpp {
namespace {

EmbeddingSettings settings_of(const TrainOptions& options) {
  return {options.embedding.rate, options.embedding.n3, options.embedding.batch,
          options.train.seed};
}

}  // namespace

EmbeddingStage::EmbeddingStage(const Dataset& dataset, const TrainOptions& options,
                               const Observer& observer, const Graph& graph, Team& team,
                               const Model& rules)
    : dataset_(dataset),
      options_(options),
      observer_(observer),
      graph_(graph),
      team_(team),
      shape_(embedding_of(shape_of(options, graph.relations(), graph.entities()))),
      trainer_(graph, shape_, settings_of(options), team) {
  if (validates()) rules_ = make_scorer(rules.parameters, rules.paths, graph, team.size());
}

bool EmbeddingStage::validates() const {
  return !options_.train.on_valid && !dataset_[Split::valid].empty();
}

Result<Parameters<float>> EmbeddingStage::run(TrainState& state, const Hooks& hooks) {
  if (!state.embedding) {
    state.embedding.emplace();
    state.embedding->parameters = initial_parameters<float>(shape_, options_.train.seed);
    state.embedding->best = state.embedding->parameters;
    state.embedding->squares = Parameters<float>(shape_);
  }
  while (state.embedding->epoch < options_.embedding.epochs) {
    LERP_CHECK(learn_epoch(state, hooks));
    LERP_CHECK(finish_epoch(state, hooks));
  }
  Parameters<float> chosen = state.embedding->best;
  if (!validates()) return chosen;
  const Clock::time_point start = Clock::now();
  LERP_CHECK(choose_mix(*rules_, dataset_, team_, observer_, chosen));
  state.seconds += seconds_since(start);
  return chosen;
}

Result<void> EmbeddingStage::learn_epoch(TrainState& all, const Hooks& hooks) {
  EmbeddingState& state = *all.embedding;
  trainer_.start_epoch(state.epoch);
  const std::size_t batches = trainer_.batches();
  if (state.batch > batches) {
    return fail(fmt::format("the checkpoint is at batch {} of {}", state.batch, batches),
                fmt::format("embedding epoch {}", state.epoch + 1),
                "go on with the options that the run began with, or start a new one");
  }
  const std::string stage =
      fmt::format("embedding epoch {}/{}", state.epoch + 1, options_.embedding.epochs);
  const std::size_t queries = trainer_.queries_before(batches);
  const std::size_t queries_before = trainer_.queries_before(state.batch);
  const Clock::time_point start = Clock::now();
  Clock::time_point since = start;
  Clock::time_point saved = start;
  while (state.batch < batches) {
    const double loss = trainer_.learn(state.batch, state.parameters, state.squares);
    if (!std::isfinite(loss)) {
      return fail("the loss is not a number", fmt::format("embedding epoch {}", state.epoch + 1),
                  "lower embedding.rate");
    }
    state.loss += loss;
    ++state.batch;
    if (observer_.progress) {
      const std::size_t done = trainer_.queries_before(state.batch);
      observer_.report({stage, done, queries, "queries",
                        fmt::format("loss {:.3f}   {} MiB", state.loss / static_cast<double>(done),
                                    peak_memory() >> 20U)});
    }
    const double passed = seconds_since(since);
    since = Clock::now();
    state.epoch_seconds += passed;
    all.seconds += passed;
    if (observer_.stopped()) {
      LERP_CHECK(hooks.checkpoint());
      return fail(fmt::format("stopped in embedding epoch {}", state.epoch + 1), "", "",
                  ErrorKind::interrupted);
    }
    if (seconds_since(saved) >= options_.train.checkpoint_seconds && state.batch < batches) {
      LERP_CHECK(hooks.checkpoint());
      saved = Clock::now();
    }
  }
  learned_per_second_ =
      static_cast<double>(queries - queries_before) / std::max(1e-9, seconds_since(start));
  return {};
}

Result<void> EmbeddingStage::finish_epoch(TrainState& all, const Hooks& hooks) {
  EmbeddingState& state = *all.embedding;
  const Clock::time_point start = Clock::now();
  for (const float value : state.parameters.values()) {
    if (!std::isfinite(value)) {
      return fail("a parameter is not a number", fmt::format("embedding epoch {}", state.epoch + 1),
                  "lower embedding.rate");
    }
  }
  EpochReport report;
  report.stage = "embedding";
  report.epoch = state.epoch + 1;
  report.epochs = options_.embedding.epochs;
  report.loss = state.loss / static_cast<double>(std::max<std::size_t>(1, graph_.edges().size()));
  report.rate = options_.embedding.rate;
  report.queries_per_second = learned_per_second_;
  if (validates()) {
    // The same facts as those that chose among the rules.
    RankingOptions ranking;
    ranking.split = Split::valid;
    ranking.threads = options_.train.threads;
    ranking.facts = options_.valid.facts;
    const Result<RankingReport> ranked =
        rank(EmbeddingScorer(rules_, state.parameters), dataset_, ranking, observer_);
    if (!ranked) {
      // Nothing of the epoch is lost: validating comes again.
      LERP_CHECK(hooks.checkpoint());
      return tl::unexpected<Error>(ranked.error());
    }
    report.valid = ranked->both;
  }
  // Without validation the last one counts as the best.
  const double mrr = report.valid ? report.valid->realistic.mrr : state.epoch;
  report.best = mrr > state.best_mrr;
  if (report.best) {
    state.best = state.parameters;
    state.best_mrr = mrr;
    state.best_epoch = report.epoch;
  }
  state.epoch_seconds += seconds_since(start);
  all.seconds += seconds_since(start);
  report.seconds = state.epoch_seconds;
  report.peak_memory_bytes = peak_memory();
  ++state.epoch;
  state.batch = 0;
  state.loss = 0;
  state.epoch_seconds = 0;
  if (hooks.epoch) LERP_CHECK(hooks.epoch(report));
  return hooks.checkpoint();
}

}  // namespace lerpp
