// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/eval/ranking_plan.hpp>
#include <lerp/train/train.hpp>

#include "base/clock.hpp"
#include "base/epoch_loop.hpp"
#include "base/schedule.hpp"
#include "model/embedding_parts.hpp"
#include "model/find_scopes.hpp"
#include "model/scorer.hpp"
#include "train/balance.hpp"
#include "train/batches.hpp"
#include "train/embedding_stage.hpp"
#include "train/epoch_report.hpp"
#include "train/first_weights.hpp"
#include "train/rank_together.hpp"
#include "train/stepper.hpp"

namespace lerpp {
namespace {

/// "mother(h, ?)" or "mother(?, t)", for messages.
std::string target_text(const Dataset& dataset, OperatorId target) {
  const RelationId relations = dataset.relations.size();
  return target < relations ? fmt::format("{}(h, ?)", dataset.relations.name(target))
                            : fmt::format("{}(?, t)", dataset.relations.name(target - relations));
}

/// How long a full ranking of the test facts may take beyond what validating took for as many.
constexpr double ranking_reserve = 1.2;

class Trainer : public EpochLearner {
 public:
  Trainer(const Dataset& dataset, const TrainOptions& options, const Observer& observer,
          const TrainHooks& hooks, Graph graph, std::shared_ptr<const PathTable> paths, Crew& crew,
          Clock::time_point start)
      : dataset_(dataset),
        options_(options),
        observer_(observer),
        hooks_(hooks),
        crew_(crew),
        start_(start),
        graph_(std::move(graph)),
        team_(options.train.threads),
        shape_(shape_of(options, dataset.relations.size())),
        batches_(dataset, options, observer) {
    shape_.scopes = find_scopes(graph_, paths.get(), shape_.length, team_);
    background_ =
        std::make_shared<const Background>(shape_, graph_, std::move(paths), team_, observer);
  }

  /// Begins, or goes on where the state is, and learns to the end.
  Result<Trained> run(std::optional<TrainState> state) {
    if (observer_.stopped()) return fail_stopped("preparing");
    LERP_CHECK(begin(std::move(state)));
    const EpochPlan plan{options_.train.epochs, options_.train.patience,
                         options_.train.checkpoint_seconds};
    LERP_CHECK(learn_epochs(*this, state_, plan, observer_));
    Trained trained;
    for (RelationId r = 0; r < dataset_.relations.size(); ++r) {
      trained.model.relations.emplace_back(dataset_.relations.name(r));
    }
    trained.model.paths = background_->paths;
    const Clock::time_point start = Clock::now();
    LERP_TRY(balanced, balance());
    const double weighing = seconds_since(start);
    trained.model.parameters = std::move(balanced.parameters);
    if (validates()) trained.valid_mrr = balanced.mrr;
    trained.seconds = state_.seconds + weighing;
    if (options_.embedding.rank > 0 && !out_of_time_) LERP_CHECK(learn_embedding(trained));
    trained.epochs = state_.epoch;
    trained.best_epoch = state_.best_epoch;
    trained.peak_memory_bytes = peak_memory();
    trained.left_out = left_out_;
    return trained;
  }

 private:
  Result<void> begin(std::optional<TrainState> state) {
    if (state) {
      if (!(state->parameters.shape() == shape_)) {
        return fail("the checkpoint is of a model of other sizes", "",
                    "go on with the options that the run began with, or start a new one");
      }
      state_ = std::move(*state);
    } else {
      state_.parameters = initial_parameters<float>(shape_, options_.train.seed);
      begin_small_targets(graph_, background_->paths.get(), state_.parameters);
      state_.best = state_.parameters;
      state_.adam = AdamState(shape_);
    }
    stepper_.emplace(options_, background_, team_, crew_, batches_.costs(), state_);
    return {};
  }

  Softmax softmax() const {
    return options_.train.softmax == "two"    ? Softmax::two
           : options_.train.softmax == "each" ? Softmax::each
                                              : Softmax::one;
  }

  /// A wide frontier costs little where answers are ranked and much where rules are learned.
  StepSettings step_settings() const {
    const std::uint32_t frontier =
        options_.train.frontier > 0 ? options_.train.frontier : shape_.frontier;
    // Processes that learn together stop together, between two steps.
    return {length(), frontier, options_.train.thin, softmax(),
            crew_.alone() ? &observer_ : nullptr};
  }

  double rate() const {
    const double done =
        (state_.epoch + static_cast<double>(state_.batch) / static_cast<double>(batches_.size())) /
        options_.train.epochs;
    return options_.train.rate * share_of_rate(options_.train.schedule, done);
  }

  /// Hops of the rules in this epoch: long rules learn best from shorter ones.
  std::uint32_t length() const {
    const std::uint32_t first = options_.train.first_length;
    if (first == 0) return shape_.length;
    return std::min(shape_.length, first + state_.epoch);
  }

  /// Whether what is left of the time is needed for validating and ranking.
  bool is_time_up() const {
    if (options_.train.seconds <= 0) return false;
    const auto ranked = static_cast<double>(dataset_[Split::test].size()) + validation_facts();
    const double reserve = ranking_reserve * ranked * seconds_a_fact_;
    return seconds_since(start_) + reserve > options_.train.seconds;
  }

  double validation_facts() const {
    const auto all = static_cast<double>(dataset_[Split::valid].size());
    return options_.valid.facts == 0 ? all
                                     : std::min(all, static_cast<double>(options_.valid.facts));
  }

  void start_epoch(std::uint32_t epoch) override { batches_.start_epoch(epoch); }
  std::uint64_t batches() const override { return batches_.size(); }
  std::uint64_t queries_before(std::uint64_t batch) const override {
    return batches_.queries_before(batch);
  }
  bool has_enough() const override { return out_of_time_; }
  /// Processes stop all together.
  bool should_stop(const Observer& observer) const override {
    return crew_.alone() ? observer.stopped() : crew_.stopping();
  }

  Result<double> learn(std::uint64_t batch, bool& save) override {
    batches_.fill(batch, lanes_);
    Stepper::Wishes wishes = {save, is_time_up()};
    LERP_TRY(outcome, stepper_->learn(lanes_, step_settings(), rate(), wishes));
    if (outcome.wrong) {
      return fail("the loss is not a number",
                  fmt::format("epoch {}, target {}", state_.epoch + 1,
                              target_text(dataset_, *outcome.wrong)),
                  "lower train.rate");
    }
    save = wishes.save;
    out_of_time_ = wishes.enough;
    return outcome.loss;
  }

  Result<bool> gather() override {
    LERP_CHECK(stepper_->gather_parameters());
    return std::ranges::all_of(state_.parameters.values(),
                               [](float value) { return std::isfinite(value); });
  }

  Result<double> score() override {
    report_ = {};
    report_.rate = rate();
    note_time(batches_.queries_before(state_.batch));
    if (!validates()) return state_.epoch;
    const Clock::time_point start = Clock::now();
    LERP_TRY(ranked, rank_valid(state_.parameters, observer_));
    seconds_a_fact_ = seconds_since(start) / std::max(1.0, validation_facts());
    report_.valid = ranked.both;
    return ranked.both.realistic.mrr;
  }

  void keep_best() override { state_.best = state_.parameters; }

  Result<void> report(const EpochSummary& summary) override {
    if (!hooks_.epoch || !crew_.leads()) return {};
    return hooks_.epoch(filled(std::move(report_), summary));
  }

  /// Says what there was no time for.
  void note_time(std::uint64_t learned) {
    out_of_time_ = out_of_time_ || is_time_up();
    const double share = static_cast<double>(learned) / static_cast<double>(batches_.queries());
    const double epochs = state_.epoch + share;
    if (!out_of_time_ || epochs >= options_.train.epochs) return;
    left_out_ =
        fmt::format("time was up after {:.2f} of {} epochs{}", epochs, options_.train.epochs,
                    options_.embedding.rank > 0 ? ", before the embedding" : "");
  }

  bool validates() const { return !options_.train.on_valid && !dataset_[Split::valid].empty(); }

  Result<RankingReport> rank_valid(const Parameters<float>& parameters, const Observer& observer) {
    if (!plan_) {
      RankingOptions ranking;
      ranking.split = Split::valid;
      ranking.threads = options_.train.threads;
      ranking.facts = options_.valid.facts;
      LERP_TRY(plan, RankingPlan::make(dataset_, ranking, observer));
      plan_ = std::move(plan);
    }
    return rank_together(crew_, *make_scorer(parameters, background_, team_, observer), *plan_,
                         observer);
  }

  /// The best parameters, with their kinds of evidence weighed against each other. Found anew when
  /// a run is resumed after it.
  Result<Balanced> balance() {
    const std::vector<EvidenceKind> kinds = evidence_kinds(shape_, softmax());
    if (!options_.train.balance || !validates() || kinds.size() < 2)
      return Balanced{state_.best, state_.best_score};
    const auto parts =
        make_part_scorer(state_.best, background_, team_, softmax() == Softmax::each, observer_);
    LERP_TRY(factors, find_factors(*parts, dataset_, {options_.train.threads, options_.valid.facts},
                                   observer_.silent()));
    Balanced balanced{scaled(state_.best, kinds, factors), 0};
    LERP_TRY(ranked, rank_valid(balanced.parameters, observer_.silent()));
    balanced.mrr = ranked.both.realistic.mrr;
    // Factors may have been found on fewer facts.
    if (balanced.mrr < state_.best_score) return Balanced{state_.best, state_.best_score};
    return balanced;
  }

  /// The rules are done, and stay as they are. Every process learns the same.
  Result<void> learn_embedding(Trained& trained) {
    const EmbeddingStage::Hooks hooks = {crew_.leads() ? hooks_.epoch : nullptr,
                                         [this] { return save_checkpoint(); }};
    EmbeddingStage stage(dataset_, options_, observer_, graph_, team_, trained.model, hooks,
                         state_.embedding);
    LERP_TRY(embedding, stage.run());
    trained.model.parameters = joined(trained.model.parameters, embedding);
    trained.model.entities = fingerprint(dataset_.entities);
    trained.embedding_epochs = state_.embedding->epoch;
    trained.best_embedding_epoch = state_.embedding->best_epoch;
    trained.seconds += state_.embedding->seconds;
    return {};
  }

  Result<void> checkpoint() override {
    if (!hooks_.checkpoint) return {};
    LERP_CHECK(stepper_->gather_state());
    return save_checkpoint();
  }
  Result<void> save_checkpoint() {
    if (!hooks_.checkpoint || !crew_.leads()) return {};
    return hooks_.checkpoint(state_);
  }

  const Dataset& dataset_;
  const TrainOptions& options_;
  const Observer& observer_;
  const TrainHooks& hooks_;
  Crew& crew_;
  Clock::time_point start_;
  Graph graph_;
  Team team_;
  ModelShape shape_;
  std::shared_ptr<const Background> background_;
  Batches batches_;
  std::vector<Batch> lanes_;
  TrainState state_;
  std::optional<Stepper> stepper_;
  std::optional<RankingPlan> plan_;  ///< of validation
  double seconds_a_fact_ = 0;        ///< that ranking took
  bool out_of_time_ = false;
  std::string left_out_;
  EpochReport report_;  ///< of the epoch that is being validated
};

}  // namespace

Result<Trained> train(const Dataset& dataset, const ResolvedOptions& resolved,
                      const Observer& observer, const TrainHooks& hooks,
                      std::optional<TrainState> state) {
  const Clock::time_point start = Clock::now();
  const TrainOptions& options = *resolved;
  if (dataset[Split::train].empty()) {
    return fail("there are no training facts", dataset.name, "give a dataset with a train split");
  }
  Graph graph = dataset.known_graph(known_splits(options), options.train.threads, observer);
  if (observer.stopped()) return fail_stopped("preparing");
  // Found anew when a run is resumed: the same, since they depend on the graph and the seed alone.
  std::shared_ptr<const PathTable> paths;
  if (options.evidence.paths > 0) {
    LERP_TRY(table, mine_paths(graph, path_options(options), observer));
    paths = std::make_shared<PathTable>(std::move(table));
  }
  Crew alone;
  return Trainer(dataset, options, observer, hooks, std::move(graph), std::move(paths),
                 hooks.crew != nullptr ? *hooks.crew : alone, start)
      .run(std::move(state));
}

}  // namespace lerpp
