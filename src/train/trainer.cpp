#include <cmath>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/eval/ranking_plan.hpp>
#include <lerp/train/train.hpp>

#include "base/clock.hpp"
#include "base/schedule.hpp"
#include "model/embedding_parts.hpp"
#include "model/scorer.hpp"
#include "train/balance.hpp"
#include "train/batches.hpp"
#include "train/embedding_stage.hpp"
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

class Trainer {
 public:
  Trainer(const Dataset& dataset, const TrainOptions& options, const Observer& observer,
          const TrainHooks& hooks, std::optional<TrainState> state, Graph graph,
          std::shared_ptr<const PathTable> paths, Crew& crew, Clock::time_point start)
      : dataset_(dataset),
        options_(options),
        observer_(observer),
        hooks_(hooks),
        crew_(crew),
        start_(start),
        shape_(shape_of(options, dataset.relations.size())),
        graph_(std::move(graph)),
        team_(options.train.threads),
        background_(
            std::make_shared<const Background>(shape_, graph_, std::move(paths), team_, observer)),
        batches_(dataset, options, observer) {
    if (state) {
      state_ = std::move(*state);
    } else {
      state_.parameters = initial_parameters<float>(shape_, options.train.seed);
      state_.best = state_.parameters;
      state_.adam = AdamState(shape_);
    }
    stepper_.emplace(options_, background_, team_, crew_, batches_.costs(), state_);
  }

  Result<Trained> run() {
    if (observer_.stopped()) return fail_stopped("preparing");
    while (state_.epoch < options_.train.epochs && !out_of_patience() && !out_of_time_) {
      LERP_CHECK(learn_epoch());
      LERP_CHECK(finish_epoch());
    }
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
    if (options_.embedding.rank > 0 && !out_of_time_) LERP_CHECK(learn_embedding(trained));
    trained.epochs = state_.epoch;
    trained.best_epoch = state_.best_epoch;
    trained.seconds = state_.seconds + weighing;
    trained.peak_memory_bytes = peak_memory();
    trained.left_out = left_out_;
    return trained;
  }

 private:
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

  bool out_of_patience() const {
    return options_.train.patience > 0 &&
           state_.epoch >= state_.best_epoch + options_.train.patience;
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

  Result<void> learn_epoch() {
    batches_.start_epoch(state_.epoch);
    if (state_.batch > batches_.size()) {
      return fail(fmt::format("the checkpoint is at step {} of {}", state_.batch, batches_.size()),
                  fmt::format("epoch {}", state_.epoch + 1),
                  "go on with the options that the run began with, or start a new one");
    }
    const StepSettings settings = step_settings();
    const Clock::time_point start = Clock::now();
    Clock::time_point since = start;
    Clock::time_point saved = start;
    const std::uint64_t queries_before = batches_.queries_before(state_.batch);
    while (state_.batch < batches_.size() && !out_of_time_) {
      Stepper::Wishes wishes = {seconds_since(saved) >= options_.train.checkpoint_seconds,
                                is_time_up()};
      if (const Result<void> learned = learn_step(settings, wishes); !learned) {
        if (learned.error().kind == ErrorKind::interrupted) return stop();
        return learned;
      }
      report_progress();
      const double passed = seconds_since(since);
      since = Clock::now();
      state_.epoch_seconds += passed;
      state_.seconds += passed;
      out_of_time_ = wishes.enough;
      if (observer_.stopped() || crew_.stopping()) {
        if (observer_.stopped() && !crew_.alone() && !crew_.stopping()) continue;  // all together
        return stop();
      }
      if (wishes.save && state_.batch < batches_.size()) {
        LERP_CHECK(checkpoint());
        saved = Clock::now();
      }
    }
    learned_per_second_ =
        static_cast<double>(batches_.queries_before(state_.batch) - queries_before) /
        std::max(1e-9, seconds_since(start));
    return {};
  }

  Result<void> stop() {
    LERP_CHECK(checkpoint());
    return fail(fmt::format("stopped in epoch {}", state_.epoch + 1), "", "",
                ErrorKind::interrupted);
  }

  Result<void> learn_step(const StepSettings& settings, Stepper::Wishes& wishes) {
    batches_.fill(state_.batch, lanes_);
    LERP_TRY(wrong, stepper_->learn(lanes_, settings, rate(), wishes));
    if (wrong) {
      return fail(
          "the loss is not a number",
          fmt::format("epoch {}, target {}", state_.epoch + 1, target_text(dataset_, *wrong)),
          "lower train.rate");
    }
    ++state_.batch;
    return {};
  }

  void report_progress() const {
    if (!observer_.progress) return;
    const std::uint64_t done = batches_.queries_before(state_.batch);
    observer_.report({fmt::format("epoch {}/{}", state_.epoch + 1, options_.train.epochs), done,
                      batches_.queries(), "queries",
                      fmt::format("loss {:.3f}   {} MiB", state_.loss / static_cast<double>(done),
                                  peak_memory() >> 20U)});
  }

  Result<void> finish_epoch() {
    const Clock::time_point start = Clock::now();
    LERP_CHECK(stepper_->gather_parameters());
    for (const float value : state_.parameters.values()) {
      if (!std::isfinite(value)) {
        return fail("a parameter is not a number", fmt::format("epoch {}", state_.epoch + 1),
                    "lower train.rate");
      }
    }
    EpochReport report;
    report.epoch = state_.epoch + 1;
    report.epochs = options_.train.epochs;
    const std::uint64_t learned = batches_.queries_before(state_.batch);
    report.loss = state_.loss / static_cast<double>(std::max<std::uint64_t>(1, learned));
    report.rate = rate();
    report.queries_per_second = learned_per_second_;
    note_time(learned);
    if (validates()) {
      const Clock::time_point ranking = Clock::now();
      const Result<RankingReport> ranked = rank_valid(state_.parameters, observer_);
      if (!ranked) {
        // Nothing of the epoch is lost: its last step stands in the checkpoint, and validating
        // comes again.
        LERP_CHECK(checkpoint());
        return tl::unexpected<Error>(ranked.error());
      }
      report.valid = ranked->both;
      seconds_a_fact_ = seconds_since(ranking) / std::max(1.0, validation_facts());
    }
    keep_best(report);
    const double passed = seconds_since(start);
    state_.epoch_seconds += passed;
    state_.seconds += passed;
    report.seconds = state_.epoch_seconds;
    report.peak_memory_bytes = peak_memory();
    ++state_.epoch;
    state_.batch = 0;
    state_.loss = 0;
    state_.epoch_seconds = 0;
    if (state_.epoch < options_.train.epochs && !out_of_patience() && !out_of_time_) {
      report.seconds_left = state_.seconds / state_.epoch * (options_.train.epochs - state_.epoch);
    }
    if (hooks_.epoch && crew_.leads()) LERP_CHECK(hooks_.epoch(report));
    return checkpoint();
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

  void keep_best(EpochReport& report) {
    // Without validation the last model counts as the best.
    const double mrr = report.valid ? report.valid->realistic.mrr : state_.epoch;
    report.best = mrr > state_.best_mrr;
    if (!report.best) return;
    state_.best = state_.parameters;
    state_.best_mrr = mrr;
    state_.best_epoch = report.epoch;
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
      return Balanced{state_.best, state_.best_mrr};
    const auto parts =
        make_part_scorer(state_.best, background_, team_, softmax() == Softmax::each, observer_);
    LERP_TRY(factors, find_factors(*parts, dataset_, {options_.train.threads, options_.valid.facts},
                                   observer_.silent()));
    Balanced balanced{scaled(state_.best, kinds, factors), 0};
    LERP_TRY(ranked, rank_valid(balanced.parameters, observer_.silent()));
    balanced.mrr = ranked.both.realistic.mrr;
    // Factors may have been found on fewer facts.
    if (balanced.mrr < state_.best_mrr) return Balanced{state_.best, state_.best_mrr};
    return balanced;
  }

  /// The rules are done, and stay as they are. Every process learns the same.
  Result<void> learn_embedding(Trained& trained) {
    EmbeddingStage stage(dataset_, options_, observer_, graph_, team_, trained.model);
    const bool leads = crew_.leads();
    const EmbeddingStage::Hooks hooks = {leads ? hooks_.epoch : nullptr,
                                         [this] { return save_checkpoint(); }};
    LERP_TRY(embedding, stage.run(state_, hooks));
    trained.model.parameters = joined(trained.model.parameters, embedding);
    trained.model.entities = fingerprint(dataset_.entities);
    trained.embedding_epochs = state_.embedding->epoch;
    trained.best_embedding_epoch = state_.embedding->best_epoch;
    return {};
  }

  Result<void> checkpoint() {
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
  ModelShape shape_;
  Graph graph_;
  Team team_;
  std::shared_ptr<const Background> background_;
  Batches batches_;
  std::vector<Batch> lanes_;
  TrainState state_;
  std::optional<Stepper> stepper_;
  std::optional<RankingPlan> plan_;  ///< of validation
  double seconds_a_fact_ = 0;        ///< that ranking took
  bool out_of_time_ = false;
  std::string left_out_;
  double learned_per_second_ = 0;
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
  Graph graph = dataset.known_graph(options.train.on_valid, options.train.threads, observer);
  if (observer.stopped()) return fail_stopped("preparing");
  // Found anew when a run is resumed: the same, since they depend on the graph and the seed alone.
  std::shared_ptr<const PathTable> paths;
  if (options.evidence.paths > 0) {
    LERP_TRY(table, mine_paths(graph, path_options(options), observer));
    paths = std::make_shared<PathTable>(std::move(table));
  }
  Crew alone;
  return Trainer(dataset, options, observer, hooks, std::move(state), std::move(graph),
                 std::move(paths), hooks.crew != nullptr ? *hooks.crew : alone, start)
      .run();
}

}  // namespace lerpp
