#include <cmath>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/train/train.hpp>

#include "base/clock.hpp"
#include "base/schedule.hpp"
#include "model/embedding_parts.hpp"
#include "model/engine.hpp"
#include "model/scorer.hpp"
#include "train/adam.hpp"
#include "train/balance.hpp"
#include "train/batches.hpp"
#include "train/embedding_stage.hpp"
#include "train/sharing.hpp"

namespace lerpp {
namespace {

/// "mother(h, ?)" or "mother(?, t)", for messages.
std::string target_text(const Dataset& dataset, OperatorId target) {
  const RelationId relations = dataset.relations.size();
  return target < relations ? fmt::format("{}(h, ?)", dataset.relations.name(target))
                            : fmt::format("{}(?, t)", dataset.relations.name(target - relations));
}

/// Kinds of evidence may learn slower than the rest: evidence.NAME_pace, where there is one.
Paces paces_of(const TrainOptions& options) {
  Paces paces = even_paces;
  for (const TermKind& kind : term_kinds()) {
    const std::string name = fmt::format("evidence.{}_pace", kind.name);
    TrainOptions::fields(options, [&](const Field& field, const auto& value) {
      if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
        if (field.name == name) paces[static_cast<std::size_t>(kind.part)] = value;
      }
    });
  }
  return paces;
}

class Trainer {
 public:
  Trainer(const Dataset& dataset, const TrainOptions& options, const Observer& observer,
          const TrainHooks& hooks, std::optional<TrainState> state, Graph graph,
          std::shared_ptr<const PathTable> paths)
      : dataset_(dataset),
        options_(options),
        observer_(observer),
        hooks_(hooks),
        shape_(shape_of(options, dataset.relations.size())),
        graph_(std::move(graph)),
        team_(options.train.threads),
        background_(std::make_shared<const Background>(shape_, graph_, std::move(paths), team_)),
        engine_(*background_, team_),
        batches_(dataset, options),
        paces_(paces_of(options)),
        gradient_(shape_) {
    if (state) {
      state_ = std::move(*state);
    } else {
      state_.parameters = initial_parameters<float>(shape_, options.train.seed);
      state_.best = state_.parameters;
      state_.adam = AdamState(shape_);
    }
    if (options.train.share && shape_.constants) {
      if (!state_.shared) state_.shared.emplace(shape_);
      sharing_.emplace(shape_, *state_.shared);
    }
  }

  Result<Trained> run() {
    while (state_.epoch < options_.train.epochs && !out_of_patience()) {
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
    if (options_.embedding.rank > 0) LERP_CHECK(learn_embedding(trained));
    trained.epochs = state_.epoch;
    trained.best_epoch = state_.best_epoch;
    trained.seconds = state_.seconds + weighing;
    trained.peak_memory_bytes = peak_memory();
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
    return {length(), frontier, options_.train.thin, softmax()};
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
    while (state_.batch < batches_.size()) {
      LERP_CHECK(learn_step(settings));
      report_progress();
      const double passed = seconds_since(since);
      since = Clock::now();
      state_.epoch_seconds += passed;
      state_.seconds += passed;
      if (observer_.stopped()) {
        LERP_CHECK(checkpoint());
        return fail(fmt::format("stopped in epoch {}", state_.epoch + 1), "", "",
                    ErrorKind::interrupted);
      }
      if (seconds_since(saved) >= options_.train.checkpoint_seconds &&
          state_.batch < batches_.size()) {
        LERP_CHECK(checkpoint());
        saved = Clock::now();
      }
    }
    learned_per_second_ = static_cast<double>(batches_.queries() - queries_before) /
                          std::max(1e-9, seconds_since(start));
    return {};
  }

  Result<void> learn_step(const StepSettings& settings) {
    batches_.fill(state_.batch, lanes_);
    targets_.clear();
    for (const Batch& lane : lanes_) targets_.push_back(lane.target);
    if (sharing_) {
      for (const OperatorId target : targets_) sharing_->catch_up(target, state_.parameters);
    }
    engine_.learn(state_.parameters, lanes_, settings, gradient_, findings_);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      if (!std::isfinite(findings_.losses[lane])) {
        return fail("the loss is not a number",
                    fmt::format("epoch {}, target {}", state_.epoch + 1,
                                target_text(dataset_, targets_[lane])),
                    "lower train.rate");
      }
      state_.loss += findings_.losses[lane] * static_cast<double>(lanes_[lane].starts.size());
    }
    const double pace = rate();
    Adam::step({pace, options_.train.weight_decay, paces_}, targets_, gradient_, findings_,
               state_.parameters, state_.adam, team_);
    if (sharing_) {
      for (const OperatorId target : targets_) sharing_->step(pace, target, gradient_);
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
    if (sharing_) sharing_->catch_up(state_.parameters);
    for (const float value : state_.parameters.values()) {
      if (!std::isfinite(value)) {
        return fail("a parameter is not a number", fmt::format("epoch {}", state_.epoch + 1),
                    "lower train.rate");
      }
    }
    EpochReport report;
    report.epoch = state_.epoch + 1;
    report.epochs = options_.train.epochs;
    report.loss = state_.loss / static_cast<double>(std::max<std::uint64_t>(1, batches_.queries()));
    report.rate = rate();
    report.queries_per_second = learned_per_second_;
    if (validates()) {
      const Result<RankingReport> ranked = rank_valid(state_.parameters, observer_);
      if (!ranked) {
        // Nothing of the epoch is lost: its last batch stands in the checkpoint, and validating
        // comes again.
        LERP_CHECK(checkpoint());
        return tl::unexpected<Error>(ranked.error());
      }
      report.valid = ranked->both;
    }
    // Without validation the last model counts as the best.
    const double mrr = report.valid ? report.valid->realistic.mrr : state_.epoch;
    report.best = mrr > state_.best_mrr;
    if (report.best) {
      state_.best = state_.parameters;
      state_.best_mrr = mrr;
      state_.best_epoch = report.epoch;
    }
    const double passed = seconds_since(start);
    state_.epoch_seconds += passed;
    state_.seconds += passed;
    report.seconds = state_.epoch_seconds;
    report.peak_memory_bytes = peak_memory();
    ++state_.epoch;
    state_.batch = 0;
    state_.loss = 0;
    state_.epoch_seconds = 0;
    if (state_.epoch < options_.train.epochs && !out_of_patience()) {
      report.seconds_left = state_.seconds / state_.epoch * (options_.train.epochs - state_.epoch);
    }
    if (hooks_.epoch) LERP_CHECK(hooks_.epoch(report));
    return checkpoint();
  }

  bool validates() const { return !options_.train.on_valid && !dataset_[Split::valid].empty(); }

  Result<RankingReport> rank_valid(const Parameters<float>& parameters, const Observer& observer) {
    RankingOptions ranking;
    ranking.split = Split::valid;
    ranking.threads = options_.train.threads;
    ranking.facts = options_.valid.facts;
    const auto scorer = make_scorer(parameters, background_, team_);
    return rank(*scorer, dataset_, ranking, observer);
  }

  /// The best parameters, with their kinds of evidence weighed against each other. Found anew when
  /// a run is resumed after it.
  Result<Balanced> balance() {
    if (!options_.train.balance || !validates()) return Balanced{state_.best, state_.best_mrr};
    const auto measure = [this](const Parameters<float>& parameters) -> Result<double> {
      LERP_TRY(ranked, rank_valid(parameters, Observer{{}, observer_.stop}));
      return ranked.both.realistic.mrr;
    };
    return lerpp::balance(state_.best, evidence_kinds(shape_, softmax()), state_.best_mrr, measure);
  }

  /// The rules are done, and stay as they are.
  Result<void> learn_embedding(Trained& trained) {
    EmbeddingStage stage(dataset_, options_, observer_, graph_, team_, trained.model);
    const EmbeddingStage::Hooks hooks = {hooks_.epoch, [this] { return checkpoint(); }};
    LERP_TRY(embedding, stage.run(state_, hooks));
    trained.model.parameters = joined(trained.model.parameters, embedding);
    trained.model.entities = fingerprint(dataset_.entities);
    trained.embedding_epochs = state_.embedding->epoch;
    trained.best_embedding_epoch = state_.embedding->best_epoch;
    return {};
  }

  Result<void> checkpoint() {
    return hooks_.checkpoint ? hooks_.checkpoint(state_) : Result<void>{};
  }

  const Dataset& dataset_;
  const TrainOptions& options_;
  const Observer& observer_;
  const TrainHooks& hooks_;
  ModelShape shape_;
  Graph graph_;
  Team team_;
  std::shared_ptr<const Background> background_;
  Engine<float> engine_;
  Batches batches_;
  Paces paces_;
  std::vector<Batch> lanes_;
  std::vector<OperatorId> targets_;  ///< of the lanes
  StepFindings<float> findings_;
  Parameters<float> gradient_;
  TrainState state_;
  std::optional<Sharing> sharing_;
  double learned_per_second_ = 0;
};

}  // namespace

Result<Trained> train(const Dataset& dataset, const ResolvedOptions& resolved,
                      const Observer& observer, const TrainHooks& hooks,
                      std::optional<TrainState> state) {
  const TrainOptions& options = *resolved;
  if (dataset[Split::train].empty()) {
    return fail("there are no training facts", dataset.name, "give a dataset with a train split");
  }
  Graph graph = dataset.known_graph(options.train.on_valid, options.train.threads);
  // Found anew when a run is resumed: the same, since they depend on the graph and the seed alone.
  std::shared_ptr<const PathTable> paths;
  if (options.evidence.paths > 0) {
    LERP_TRY(table, mine_paths(graph, path_options(options), observer));
    paths = std::make_shared<PathTable>(std::move(table));
  }
  return Trainer(dataset, options, observer, hooks, std::move(state), std::move(graph),
                 std::move(paths))
      .run();
}

}  // namespace lerpp
