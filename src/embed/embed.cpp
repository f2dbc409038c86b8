// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <lerp/base/memory.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/base/team.hpp>
#include <lerp/embed/embed.hpp>

#include "base/clock.hpp"
#include "base/epoch_loop.hpp"
#include "embed/plateau.hpp"
#include "embed/transe_trainer.hpp"

namespace lerpp {
namespace {

/// Up to here, every wrong answer counts in every batch. Beyond, a step costs more than its
/// queries: it computes the functions of every entity and moves all vectors.
constexpr EntityId large_graph = 10'000;
constexpr std::uint32_t drawn_on_large_graphs = 1'000;
constexpr std::uint32_t batch_on_small_graphs = 128;
constexpr std::uint32_t batch_on_large_graphs = 1'024;
/// There most entities have nearly the same functions: at full size and pace, W L(e) drowns what
/// tells them apart before that is learned.
constexpr double functions_on_large_graphs = 0.1;

EmbedState first_state(const EmbedOptions& options, const Dataset& dataset) {
  EmbedState state(initial_transe<float>(shape_of(options, dataset), options.seed));
  for (float& value : state.parameters.rotation) value *= static_cast<float>(options.start);
  return state;
}

class Embedder : public EpochLearner {
 public:
  Embedder(const Dataset& dataset, const EmbedOptions& options, const Observer& observer,
           const EmbedHooks& hooks, std::optional<EmbedState> state)
      : dataset_(dataset),
        options_(options),
        observer_(observer),
        hooks_(hooks),
        threads_(options.threads),
        graph_(dataset.known_graph(KnownSplits::train, threads_)),
        team_(threads_),
        trainer_(graph_, shape_of(options, dataset), options, team_),
        state_(state ? std::move(*state) : first_state(options, dataset)) {}

  Result<Embedded> run() {
    EpochPlan plan{options_.epochs};
    plan.rate = "the rate";
    LERP_CHECK(learn_epochs(*this, state_, plan, observer_));
    if (!knows_best_) LERP_CHECK(rank_best());
    Embedded result;
    result.options = options_;
    result.model.entities = fingerprint(dataset_.entities);
    for (RelationId id = 0; id < dataset_.relations.size(); ++id)
      result.model.relations.emplace_back(dataset_.relations.name(id));
    result.model.parameters = std::move(state_.best);
    result.epochs = std::move(state_.trace);
    result.best_epoch = state_.best_epoch;
    result.valid = std::move(best_valid_);
    result.test = std::move(best_test_);
    result.seconds = state_.seconds;
    result.peak_memory_bytes = peak_memory();
    return result;
  }

 private:
  using Ranks = std::optional<RankingReport>;  ///< none where a split has no facts

  void start_epoch(std::uint32_t epoch) override { trainer_.start_epoch(epoch, plateau().share); }
  bool has_enough() const override { return plateau().over; }
  Plateau plateau() const {
    if (options_.schedule != "plateau") return {};
    return plateau_after(state_.trace, options_.patience, options_.rise);
  }
  std::uint64_t batches() const override { return trainer_.queries().batches(); }
  std::uint64_t queries_before(std::uint64_t batch) const override {
    return trainer_.queries().queries_before(batch);
  }

  Result<double> learn(std::uint64_t batch, bool& /*save*/) override {
    const TransELosses losses = trainer_.learn(batch, state_);
    const auto queries = static_cast<double>(trainer_.queries()[batch].size());
    state_.margin_loss += queries * losses.margin;
    state_.ratio += queries * losses.ratio;
    state_.entropy += queries * losses.entropy;
    return queries * losses.loss;
  }

  Result<bool> gather() override {
    return std::ranges::all_of(state_.parameters.blocks(), [](std::span<const float> block) {
      return std::ranges::all_of(block, [](float value) { return std::isfinite(value); });
    });
  }

  Result<double> score() override {
    const Clock::time_point start = Clock::now();
    const std::unique_ptr<Scorer> scorer = make_scorer(state_.parameters, graph_, threads_);
    LERP_TRY(train, rank_split(*scorer, Split::train, options_.ranked));
    LERP_TRY(valid, rank_split(*scorer, Split::valid, 0));
    LERP_TRY(test, rank_split(*scorer, Split::test, 0));
    const auto mrr = [](const Ranks& ranks) {
      return ranks ? std::optional(ranks->both.realistic.mrr) : std::nullopt;
    };
    epoch_ = {};
    epoch_.train_mrr = mrr(train);
    epoch_.valid_mrr = mrr(valid);
    epoch_.test_mrr = mrr(test);
    epoch_.learn_seconds = state_.epoch_seconds;
    epoch_.rank_seconds = seconds_since(start);
    valid_ = std::move(valid);
    test_ = std::move(test);
    return epoch_.valid_mrr.value_or(state_.epoch);
  }

  void keep_best() override {
    state_.best = state_.parameters;
    best_valid_ = std::move(valid_);
    best_test_ = std::move(test_);
    knows_best_ = true;
  }

  Result<void> report(const EpochSummary& summary) override {
    const auto queries = static_cast<double>(queries_before(batches()));
    epoch_.epoch = summary.epoch;
    epoch_.epochs = summary.epochs;
    epoch_.loss = summary.loss;
    epoch_.margin_loss = std::exchange(state_.margin_loss, 0) / queries;
    epoch_.ratio = std::exchange(state_.ratio, 0) / queries;
    epoch_.entropy = std::exchange(state_.entropy, 0) / queries;
    epoch_.best = summary.best;
    state_.trace.push_back(epoch_);
    return hooks_.epoch ? hooks_.epoch(epoch_) : Result<void>();
  }

  Result<void> checkpoint() override {
    return hooks_.checkpoint ? hooks_.checkpoint(state_) : Result<void>();
  }

  /// Of an epoch from before an interruption.
  Result<void> rank_best() {
    const std::unique_ptr<Scorer> scorer = make_scorer(state_.best, graph_, threads_);
    LERP_TRY(valid, rank_split(*scorer, Split::valid, 0));
    LERP_TRY(test, rank_split(*scorer, Split::test, 0));
    best_valid_ = std::move(valid);
    best_test_ = std::move(test);
    return {};
  }

  Result<Ranks> rank_split(const Scorer& scorer, Split split, std::uint64_t facts) const {
    if (dataset_[split].empty()) return std::nullopt;
    RankingOptions ranking;
    ranking.split = split;
    ranking.threads = threads_;
    ranking.facts = facts;
    LERP_TRY(report, rank(scorer, dataset_, ranking, observer_.silent()));
    return std::move(report);
  }

  const Dataset& dataset_;
  const EmbedOptions& options_;
  const Observer& observer_;
  const EmbedHooks& hooks_;
  unsigned threads_;
  Graph graph_;
  Team team_;
  TransETrainer trainer_;
  EmbedState state_;
  EmbedEpoch epoch_;              ///< that is being ranked
  Ranks valid_, test_;            ///< of that epoch
  Ranks best_valid_, best_test_;  ///< of the best
  bool knows_best_ = false;
};

}  // namespace

void resolve(EmbedOptions& options, const Dataset& dataset) {
  const EntityId entities = dataset.entities.size();
  const bool large = entities > large_graph;
  if (options.negatives == 0) options.negatives = large ? drawn_on_large_graphs : entities;
  if (options.batch == 0) options.batch = large ? batch_on_large_graphs : batch_on_small_graphs;
  options.negatives = std::min(options.negatives, entities);
  for (double* share : {&options.pace, &options.start}) {
    if (*share == 0) *share = large ? functions_on_large_graphs : 1;
  }
}

TransEShape shape_of(const EmbedOptions& options, const Dataset& dataset) {
  const bool plain = options.variant == "transe";
  return {dataset.entities.size(), dataset.relations.size(), options.dim, plain ? 0 : options.width,
          plain ? 0 : options.depth};
}

EmbedState::EmbedState(TransEParameters<float> start)
    : parameters(std::move(start)),
      best(parameters),
      first(parameters.shape),
      second(parameters.shape) {}

Result<Embedded> embed(const Dataset& dataset, const EmbedOptions& options,
                       const Observer& observer, const EmbedHooks& hooks,
                       std::optional<EmbedState> state) {
  assert(options.variant != "all");
  if (dataset[Split::facts].empty() && dataset[Split::train].empty()) {
    return fail("there are no training facts", dataset.name, "give a dataset with a train split");
  }
  EmbedOptions resolved = options;
  resolve(resolved, dataset);
  return Embedder(dataset, resolved, observer, hooks, std::move(state)).run();
}

}  // namespace lerpp
