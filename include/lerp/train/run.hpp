// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <lerp/train/train.hpp>

/// A run is one folder that says everything about itself:
///
///     config.toml          every value resolved, and the data it was learned from
///     log.txt              what was printed
///     trace.jsonl          one line an epoch
///     model.safetensors    best on validation
///     checkpoint/          enough to go on exactly
///     metrics.json         the final ranks
///     rules.txt            the short list of rules, where one was asked for
namespace lerpp {

struct RunConfig {
  std::filesystem::path data;  ///< where the dataset was read from
  std::string fingerprint;     ///< of its facts: a run goes on with the same data or not at all
  TrainOptions options;
  ReadChoices choices = {};  ///< how the data is read
};

/// Reads the options of a file over those given; only what it mentions changes.
Result<RunConfig> load_config(const std::filesystem::path& path, const TrainOptions& defaults = {});

Result<void> save_checkpoint(const TrainState& state, const std::filesystem::path& path);
/// Of a model of these sizes, whatever its scopes: they stand in the file.
Result<TrainState> load_checkpoint(const std::filesystem::path& path, const ModelShape& sizes);

/// The short list of rules that a run ends with, and how it ranks without the model.
struct FewRules {
  std::size_t rules = 0;
  std::size_t of_relation = 0;  ///< of the relation that has most, both directions together
  std::optional<RankingReport> valid = {};
  std::optional<RankingReport> test = {};
  double seconds = 0;  ///< that it took to make
};
Json to_json(const FewRules& few);
std::string to_text(const FewRules& few);

struct RunResult {
  Trained trained;
  TrainOptions options;
  std::optional<RankingReport> test = {};             ///< none where there are no test facts
  std::optional<RankingReport> test_rules_only = {};  ///< beside an embedding
  std::uint64_t held_out = 0;           ///< facts held out for validation, of data without splits
  std::vector<std::string> notes = {};  ///< what the reader of the data left out or decided
  std::optional<FewRules> few_rules = {};
};
/// metrics.json, and what `lerp train --json` writes.
Json to_json(const RunResult& result);

/// Learns and leaves a run folder, which must be new. Of a crew, the first process writes it.
Result<RunResult> start_run(const Dataset& dataset, const std::filesystem::path& data,
                            const ResolvedOptions& options, const std::filesystem::path& folder,
                            const Observer& observer = {},
                            const std::function<void(const std::string&)>& say = {},
                            Crew* crew = nullptr);
/// Goes on with an interrupted run; a finished one is ranked again. Every process of a crew, of
/// however many, reads the folder.
Result<RunResult> resume_run(const std::filesystem::path& folder, const Observer& observer = {},
                             const std::function<void(const std::string&)>& say = {},
                             Crew* crew = nullptr);
/// The threads of one of several processes that share a machine.
unsigned threads_of(const Crew& crew);

/// What the folder of a finished or interrupted run holds. Questions are asked of a Run
/// (run/run.hpp).
struct SavedRun {
  RunConfig config;
  Model model;
};
Result<SavedRun> open_run(const std::filesystem::path& folder);
/// The data that a run was learned from; refused where it has changed since, with a remedy.
Result<Dataset> load_data(const RunConfig& config, unsigned threads, const Observer& observer = {},
                          std::string remedy = "put it back as it was, or start a new run");
/// What the model of a run may know of a dataset: validation facts only where it has learned from
/// these.
KnownSplits known_splits(const RunConfig& config, const Dataset& dataset);

/// The first free name: "family", "family-2", ...
std::filesystem::path free_run_name(const std::string& dataset);

}  // namespace lerpp
