// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/base/memory_plan.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/base/text.hpp>
#include <lerp/kg/fingerprint.hpp>
#include <lerp/model/memory_need.hpp>
#include <lerp/train/run.hpp>

#include "base/run_folder.hpp"
#include "train/rank_together.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;
using Say = RunFolder::Say;

/// Writes down what training says. Of a crew, the first process does.
class Recorder {
 public:
  Recorder(RunFolder& folder, Crew& crew) : folder_(folder), crew_(crew) {}

  Result<void> tell(const std::string& line) const {
    return crew_.leads() ? folder_.tell(line) : Result<void>();
  }

  TrainHooks hooks() const {
    TrainHooks hooks;
    hooks.crew = &crew_;
    hooks.epoch = [this](const EpochReport& report) -> Result<void> {
      LERP_CHECK(folder_.trace(to_json(report).dump()));
      return tell(to_text(report));
    };
    hooks.checkpoint = [this](const TrainState& state) {
      return save_checkpoint(state, folder_.checkpoint());
    };
    return hooks;
  }

 private:
  RunFolder& folder_;
  Crew& crew_;
};

/// As they are written down: threads are a plain number there.
TrainOptions recorded(const ResolvedOptions& options) {
  TrainOptions result = *options;
  result.train.threads = worker_count(result.train.threads);
  return result;
}

/// The options of a run folder. They were checked when they were written, but files change.
Result<RunConfig> config_of(const fs::path& folder) {
  LERP_CHECK(require_kind(folder, RunKind::rules));
  const fs::path path = folder / config_file;
  Result<RunConfig> config = load_config(path);
  if (!config) return config;
  LERP_CHECK(require_data(folder, config->data));
  Result<void> checked = check_together(config->options);
  if (checked) return config;
  checked.error().where = path.string();
  checked.error().kind = ErrorKind::failure;
  return tl::unexpected<Error>(std::move(checked.error()));
}

/// Processes that learn together must want the same.
Result<void> agree(Crew& crew, const Dataset& dataset, TrainOptions options) {
  options.train.threads = 0;  // that is each machine's own affair
  const std::array claims = {
      Crew::Claim{"data", fingerprint(dataset), "give every process the same files"},
      Crew::Claim{"options", options_to_json(options).dump(), "give every process the same ones"}};
  return crew.agree(claims);
}

/// Queries of the largest batch; see Batches.
std::uint32_t largest_batch(const Dataset& dataset, const TrainOptions& options) {
  const std::uint64_t steps = options.train.steps;
  if (steps == 0) return options.train.batch;
  std::vector<std::uint64_t> counts(dataset.relations.size() + std::size_t{1});
  for (const Fact& fact : dataset[Split::train]) ++counts[fact.relation];
  std::uint64_t most = *std::ranges::max_element(counts);
  if (options.train.queries > 0) most = std::min(most, options.train.queries);
  return std::max(options.train.batch, static_cast<std::uint32_t>((most + steps - 1) / steps));
}

/// The same options, with fewer threads where a limit of memory leaves no room for all: that
/// changes no byte of the model, as fewer lanes would. Fails where there is no room for one.
Result<ResolvedOptions> within_memory(const Dataset& dataset, const ResolvedOptions& options,
                                      const Say& say) {
  const std::optional<MemoryLimit> limit = memory_limit();
  if (!limit) return options;
  TrainOptions planned = *options;
  const ModelShape shape =
      shape_of(planned, dataset.relations.size(),
               planned.embedding.rank > 0 ? dataset.entities.size() : EntityId{0});
  const LearningSizes sizes = {
      planned.train.lanes, largest_batch(dataset, planned),
      planned.train.frontier > 0 ? planned.train.frontier : planned.rules.frontier};
  const Graph graph = dataset.known_graph(known_splits(planned), planned.train.threads);
  LERP_TRY(threads, threads_within(limit, learning_need(shape, graph, sizes), planned.train.threads,
                                   "learning",
                                   "set fewer train.lanes, a smaller train.batch or fewer rules"));
  if (threads == planned.train.threads) return options;
  if (say) say(fmt::format("threads: {}, so that the memory is enough", threads));
  planned.train.threads = threads;
  return resolve(dataset, std::move(planned));
}

/// The ranks of the test facts, shared out among the processes.
Result<Evaluation> rank_test(Crew& crew, const Model& model, const Dataset& dataset,
                             const TrainOptions& options, const Observer& observer) {
  RankingOptions ranking;
  ranking.threads = options.train.threads;
  const KnownGraph known(dataset, known_splits(options), options.train.threads);
  if (crew.alone()) return evaluate_parts(model, known, ranking, observer);
  LERP_TRY(plan, RankingPlan::make(dataset, ranking));
  const auto ranks_of = [&](const Model& asked) {
    return rank_together(crew, *make_scorer(asked, known, options.train.threads), plan, observer);
  };
  Evaluation evaluation;
  LERP_TRY(full, ranks_of(model));
  evaluation.full = std::move(full);
  if (model.shape().embedding > 0) {
    const Model rules = without_embedding(model);
    LERP_TRY(alone, ranks_of(rules));
    evaluation.rules_only = std::move(alone);
  }
  return evaluation;
}

/// Learns from where the state is, then leaves the model and its ranks.
Result<RunResult> run(const Dataset& dataset, const ResolvedOptions& resolved, RunFolder& folder,
                      const Observer& observer, Crew& crew, std::optional<TrainState> state) {
  const TrainOptions& options = *resolved;
  LERP_CHECK(agree(crew, dataset, options));
  const Recorder recorder(folder, crew);
  const TrainHooks hooks = recorder.hooks();
  Result<Trained> trained = train(dataset, resolved, observer, hooks, std::move(state));
  if (!trained) return folder.with_remedy(std::move(trained.error()));
  RunResult result{std::move(*trained), recorded(resolved)};
  result.held_out = dataset.held_out;
  result.notes = dataset.notes;
  if (crew.leads()) LERP_CHECK(save_model(result.trained.model, folder / model_file));
  if (!result.trained.left_out.empty()) LERP_CHECK(recorder.tell(result.trained.left_out));
  if (!dataset[Split::test].empty()) {
    Result<Evaluation> ranked = rank_test(crew, result.trained.model, dataset, options, observer);
    if (!ranked) return folder.with_remedy(std::move(ranked.error()));
    for (const std::string& line : summary(*ranked)) LERP_CHECK(recorder.tell(line));
    result.test = std::move(ranked->full);
    result.test_rules_only = std::move(ranked->rules_only);
  }
  if (crew.leads()) LERP_CHECK(write_metrics(folder.path(), to_json(result)));
  return result;
}

}  // namespace

unsigned threads_of(const Crew& crew) {
  return std::max(1U, usable_cores() / std::max(1U, crew.here()));
}

Result<RunResult> start_run(const Dataset& dataset, const fs::path& data,
                            const ResolvedOptions& asked, const fs::path& path,
                            const Observer& observer, const Say& say, Crew* given) {
  Crew alone;
  Crew& crew = given != nullptr ? *given : alone;
  LERP_CHECK(require_lasting(data));
  LERP_TRY(options, within_memory(dataset, asked, say));
  RunFolder folder(path, say);
  if (crew.leads()) {
    std::error_code code;
    const RunSource source{fs::absolute(data, code), fingerprint(dataset),
                           choices_of(dataset.choices)};
    LERP_CHECK(folder.start(config_to_toml(RunKind::rules, source, recorded(options))));
  }
  return run(dataset, options, folder, observer, crew, std::nullopt);
}

Result<RunResult> resume_run(const fs::path& path, const Observer& observer, const Say& say,
                             Crew* given) {
  Crew alone;
  Crew& crew = given != nullptr ? *given : alone;
  LERP_TRY(config, config_of(path));
  RunFolder folder(path, say);
  if (crew.leads()) LERP_CHECK(folder.take());
  // How many threads there were is the affair of the machine that the run began on.
  if (!crew.alone()) config.options.train.threads = threads_of(crew);
  LERP_TRY(dataset, load_data(config, config.options.train.threads, observer));
  LERP_TRY(wanted, resolve(dataset, config.options));
  LERP_TRY(options, within_memory(dataset, wanted, say));
  std::optional<TrainState> state;
  if (folder.has_checkpoint()) {
    LERP_TRY(loaded,
             load_checkpoint(folder.checkpoint(), shape_of(*options, dataset.relations.size(),
                                                           dataset.entities.size())));
    state = std::move(loaded);
  }
  const std::uint32_t embedded = state && state->embedding ? state->embedding->epoch : 0;
  // All have read the checkpoint before the first process writes another.
  LERP_CHECK(agree(crew, dataset, *options));
  if (crew.leads()) LERP_CHECK(folder.shorten_trace(state ? state->epoch + embedded : 0));
  return run(dataset, options, folder, observer, crew, std::move(state));
}

Result<SavedRun> open_run(const fs::path& folder) {
  LERP_TRY(config, config_of(folder));
  LERP_TRY(path, finished_model(folder, RunKind::rules));
  LERP_TRY(model, load_model(path));
  LERP_CHECK(require_own_model(folder));
  return SavedRun{std::move(config), std::move(model)};
}

Result<Dataset> load_data(const RunConfig& config, unsigned threads, const Observer& observer,
                          std::string remedy) {
  LoadOptions options;
  options.threads = threads;
  options.choices = config.choices;
  return load_unchanged(config.data, config.fingerprint, options, observer, std::move(remedy));
}

KnownSplits known_splits(const RunConfig& config, const Dataset& dataset) {
  const KnownSplits own = known_splits(config.options);
  return own == KnownSplits::train || fingerprint(dataset) == config.fingerprint
             ? own
             : KnownSplits::train;
}

fs::path free_run_name(const std::string& dataset) {
  fs::path name = dataset;
  std::error_code code;
  for (int number = 2; fs::exists(name, code); ++number)
    name = fmt::format("{}-{}", dataset, number);
  return name;
}

Json to_json(const FewRules& few) {
  Json json = few.test ? to_json(*few.test) : Json::object();
  json["rules"] = few.rules;
  json["rules_per_relation"] = few.of_relation;
  if (few.valid) json["valid_mrr_realistic"] = few.valid->both.realistic.mrr;
  json["list_seconds"] = few.seconds;
  return json;
}

std::string to_text(const FewRules& few) {
  std::string text = fmt::format("few rules: {} in all, {} of a relation at most, made in {:.1f} s",
                                 thousands(few.rules), few.of_relation, few.seconds);
  const auto add = [&](const char* split, const std::optional<RankingReport>& ranks) {
    if (!ranks) return;
    const Protocols& both = ranks->both;
    text += fmt::format("; {} MRR {:.3f} (optimistic {:.3f}, pessimistic {:.3f})", split,
                        both.realistic.mrr, both.optimistic.mrr, both.pessimistic.mrr);
  };
  add("valid", few.valid);
  add("test", few.test);
  return text;
}

Json to_json(const RunResult& result) {
  Json json =
      result.test ? to_json(Evaluation{*result.test, result.test_rules_only}) : Json::object();
  json["train_seconds"] = result.trained.seconds;
  json["epochs"] = result.trained.epochs;
  json["best_epoch"] = result.trained.best_epoch;
  if (result.trained.valid_mrr) json["valid_mrr_realistic"] = *result.trained.valid_mrr;
  if (result.trained.embedding_epochs > 0) {
    json["embedding_epochs"] = result.trained.embedding_epochs;
    json["best_embedding_epoch"] = result.trained.best_embedding_epoch;
  }
  json["parameters"] = result.trained.model.parameters.values().size();
  json["rules"] =
      result.trained.model.shape().rules * std::uint64_t{result.trained.model.shape().operators()};
  json["peak_memory_bytes"] = std::max(result.trained.peak_memory_bytes, peak_memory());
  json["seed"] = result.options.train.seed;
  json["threads"] = result.options.train.threads;
  json["config"] = options_to_json(result.options);
  json["held_out"] = result.held_out;
  json["notes"] = result.notes;
  if (result.few_rules) json["few_rules"] = to_json(*result.few_rules);
  return json;
}

}  // namespace lerpp
