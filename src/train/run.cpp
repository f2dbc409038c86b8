#include <array>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/kg/fingerprint.hpp>
#include <lerp/train/run.hpp>

#include "base/run_files.hpp"
#include "train/rank_together.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;
using Say = std::function<void(const std::string&)>;

constexpr const char* log_file = "log.txt";

fs::path checkpoint_file(const fs::path& folder) {
  return folder / "checkpoint" / "state.safetensors";
}

/// Drops the lines of epochs that the checkpoint does not know of: they will come again.
Result<void> shorten_trace(const fs::path& path, std::uint32_t epochs) {
  if (!fs::exists(path)) return {};
  LERP_TRY(bytes, read_file(path));
  std::string kept;
  std::string_view rest = bytes.view();
  for (std::uint32_t epoch = 0; epoch < epochs; ++epoch) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    kept += rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
  }
  return write_file(path, kept);
}

/// Removes what a killed process was writing when it died.
void remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& place : {folder, folder / "checkpoint"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(place, ignored)) {
      if (entry.path().extension() == ".part") fs::remove(entry.path(), ignored);
    }
  }
}

/// An interruption of a run says how to go on.
tl::unexpected<Error> with_remedy(Error error, const fs::path& folder) {
  if (error.kind == ErrorKind::interrupted) {
    error.where = folder.string();
    error.remedy = fmt::format("lerp resume {} goes on from here", folder.string());
  }
  return tl::unexpected<Error>(std::move(error));
}

class Recorder {
 public:
  Recorder(fs::path folder, Say say, Crew& crew)
      : folder_(std::move(folder)), say_(std::move(say)), crew_(crew) {}

  Result<void> tell(const std::string& line) const {
    if (!crew_.leads()) return {};
    if (say_) say_(line);
    return append_line(folder_ / log_file, line);
  }

  TrainHooks hooks() const {
    TrainHooks hooks;
    hooks.crew = &crew_;
    hooks.epoch = [this](const EpochReport& report) -> Result<void> {
      LERP_CHECK(append_line(folder_ / trace_file, to_json(report).dump()));
      return tell(to_text(report));
    };
    hooks.checkpoint = [this](const TrainState& state) {
      return save_checkpoint(state, checkpoint_file(folder_));
    };
    return hooks;
  }

 private:
  fs::path folder_;
  Say say_;
  Crew& crew_;
};

/// As they are written down: threads are a plain number there.
TrainOptions recorded(const ResolvedOptions& options) {
  TrainOptions result = *options;
  result.train.threads = worker_count(result.train.threads);
  return result;
}

/// The options of a run folder. They were checked when they were written, but files change.
Result<RunConfig> read_config(const fs::path& folder) {
  const fs::path path = folder / config_file;
  if (!fs::exists(path)) return no_run_folder(folder);
  Result<RunConfig> config = load_config(path);
  if (!config) return config;
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

/// The ranks of the test facts, shared out among the processes.
Result<Evaluation> rank_test(Crew& crew, const Model& model, const Dataset& dataset,
                             const TrainOptions& options, const Observer& observer) {
  RankingOptions ranking;
  ranking.threads = options.train.threads;
  if (crew.alone())
    return evaluate_parts(model, dataset, ranking, options.train.on_valid, observer);
  const Graph known = dataset.known_graph(options.train.on_valid, options.train.threads);
  LERP_TRY(plan, RankingPlan::make(dataset, ranking));
  const auto ranks_of = [&](const Model& asked) {
    return rank_together(crew,
                         *make_scorer(asked.parameters, asked.paths, known, options.train.threads),
                         plan, observer);
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
Result<RunResult> run(const Dataset& dataset, const ResolvedOptions& resolved,
                      const fs::path& folder, const Observer& observer, const Say& say, Crew& crew,
                      std::optional<TrainState> state) {
  const TrainOptions& options = *resolved;
  LERP_CHECK(agree(crew, dataset, options));
  const Recorder recorder(folder, say, crew);
  const TrainHooks hooks = recorder.hooks();
  Result<Trained> trained = train(dataset, resolved, observer, hooks, std::move(state));
  if (!trained) return with_remedy(std::move(trained.error()), folder);
  RunResult result{std::move(*trained), recorded(resolved)};
  if (crew.leads()) LERP_CHECK(save_model(result.trained.model, folder / model_file));
  if (!result.trained.left_out.empty()) LERP_CHECK(recorder.tell(result.trained.left_out));
  if (!dataset[Split::test].empty()) {
    Result<Evaluation> ranked = rank_test(crew, result.trained.model, dataset, options, observer);
    if (!ranked) return with_remedy(std::move(ranked.error()), folder);
    for (const std::string& line : summary(*ranked)) LERP_CHECK(recorder.tell(line));
    result.test = std::move(ranked->full);
    result.test_rules_only = std::move(ranked->rules_only);
  }
  if (crew.leads()) LERP_CHECK(write_file(folder / metrics_file, to_json(result).dump(2) + "\n"));
  return result;
}

}  // namespace

unsigned threads_of(const Crew& crew) {
  return std::max(1U, usable_cores() / std::max(1U, crew.here()));
}

Result<RunResult> start_run(const Dataset& dataset, const fs::path& data,
                            const ResolvedOptions& options, const fs::path& folder,
                            const Observer& observer, const Say& say, Crew* given) {
  Crew alone;
  Crew& crew = given != nullptr ? *given : alone;
  if (!crew.leads()) return run(dataset, options, folder, observer, say, crew, std::nullopt);
  const Result<FileLock> lock = claim_run_folder(folder);
  if (!lock) return tl::unexpected<Error>(lock.error());
  LERP_CHECK(make_folder(folder / "checkpoint"));
  std::error_code code;
  const RunConfig config{fs::absolute(data, code), fingerprint(dataset), recorded(options)};
  LERP_CHECK(save_config(config, folder / config_file));
  return run(dataset, options, folder, observer, say, crew, std::nullopt);
}

Result<RunResult> resume_run(const fs::path& folder, const Observer& observer, const Say& say,
                             Crew* given) {
  Crew alone;
  Crew& crew = given != nullptr ? *given : alone;
  LERP_TRY(config, read_config(folder));
  std::optional<FileLock> held;
  if (crew.leads()) {
    LERP_TRY(lock, FileLock::take(folder));
    held.emplace(std::move(lock));
  }
  // How many threads there were is the affair of the machine that the run began on.
  if (!crew.alone()) config.options.train.threads = threads_of(crew);
  LERP_TRY(dataset, load_data(config, config.options.train.threads, observer));
  LERP_TRY(options, resolve(dataset, config.options));
  std::optional<TrainState> state;
  if (fs::exists(checkpoint_file(folder))) {
    LERP_TRY(loaded,
             load_checkpoint(checkpoint_file(folder), shape_of(*options, dataset.relations.size(),
                                                               dataset.entities.size())));
    state = std::move(loaded);
  }
  const std::uint32_t embedded = state && state->embedding ? state->embedding->epoch : 0;
  // All have read the checkpoint before the first process writes another.
  LERP_CHECK(agree(crew, dataset, *options));
  if (crew.leads()) {
    remove_unfinished(folder);
    LERP_CHECK(shorten_trace(folder / trace_file, state ? state->epoch + embedded : 0));
  }
  return run(dataset, options, folder, observer, say, crew, std::move(state));
}

Result<Run> open_run(const fs::path& folder) {
  LERP_TRY(config, read_config(folder));
  if (!fs::exists(folder / model_file)) {
    return fail("the run has no model yet", folder.string(),
                fmt::format("finish it with lerp resume {}", folder.string()));
  }
  LERP_TRY(model, load_model(folder / model_file));
  return Run{std::move(config), std::move(model)};
}

Result<Dataset> load_data(const RunConfig& config, unsigned threads, const Observer& observer) {
  LoadOptions options;
  options.threads = threads;
  Result<Dataset> dataset = load(config.data, options, observer);
  if (dataset && fingerprint(*dataset) != config.fingerprint) {
    return fail("the data has changed since this run began", config.data.string(),
                "put it back as it was, or start a new run");
  }
  return dataset;
}

fs::path free_run_name(const std::string& dataset) {
  fs::path name = dataset;
  for (int number = 2; fs::exists(name); ++number) name = fmt::format("{}-{}", dataset, number);
  return name;
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
  return json;
}

}  // namespace lerpp
