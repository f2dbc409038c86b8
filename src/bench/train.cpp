// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/bench/train.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"
#include "model/engine.hpp"
#include "model/find_scopes.hpp"
#include "train/adam.hpp"
#include "train/batches.hpp"

namespace lerpp {
namespace {

/// Seconds of some steps of an epoch, optimiser and all, by so many threads.
class SpeedTrial {
 public:
  SpeedTrial(const Dataset& dataset, const Graph& graph, const TrainOptions& options,
             std::shared_ptr<const PathTable> paths)
      : options_(options),
        graph_(graph),
        paths_(paths),
        setup_(options.train.threads),
        shape_([&] {
          ModelShape shape = shape_of(options, dataset.relations.size());
          shape.scopes = find_scopes(graph, paths.get(), shape.length, setup_);
          return shape;
        }()),
        background_(shape_, graph, std::move(paths), setup_),
        batches_(dataset, options) {
    batches_.start_epoch(0);
  }

  double seconds(unsigned threads) const {
    Team team(exactly(threads));
    Engine<float> engine(background_, team);
    Parameters<float> parameters = initial_parameters<float>(shape_, options_.train.seed);
    Parameters<float> gradient(shape_);
    AdamState adam(shape_);
    StepFindings<float> findings;
    std::vector<Batch> lanes;
    std::vector<OperatorId> targets;
    const std::uint32_t frontier =
        options_.train.frontier > 0 ? options_.train.frontier : shape_.frontier;
    const std::uint32_t length =
        options_.train.first_length > 0 ? options_.train.first_length : shape_.length;
    const StepSettings settings = {length, frontier, options_.train.thin, Softmax::one};
    const std::size_t count = std::min(most_steps, batches_.size());
    return least_seconds(3, [&] {
      // Spread over the epoch, so that small and large targets are among them.
      for (std::size_t i = 0; i < count; ++i) {
        batches_.fill(i * batches_.size() / count, lanes);
        targets.clear();
        for (const Batch& lane : lanes) targets.push_back(lane.target);
        engine.learn(parameters, lanes, settings, gradient, findings);
        Adam::step({options_.train.rate}, targets, gradient, findings, parameters, adam, team);
      }
    });
  }

  /// Seconds of ranking some facts with the model as it begins, which costs what a learned one
  /// does; nothing where there are none to rank.
  Result<std::optional<double>> ranking_seconds(const Dataset& dataset, unsigned threads,
                                                const Observer& observer) const {
    RankingOptions ranking;
    if (dataset[Split::test].empty()) ranking.split = Split::valid;
    if (dataset[ranking.split].empty()) return std::optional<double>();
    ranking.threads = exactly(threads);
    ranking.facts = most_ranked;
    const Parameters<float> parameters = initial_parameters<float>(shape_, options_.train.seed);
    const std::unique_ptr<Scorer> scorer =
        make_scorer(parameters, paths_, graph_, ranking.threads, observer);
    const Stopwatch watch;
    LERP_CHECK(rank(*scorer, dataset, ranking, observer));
    return std::optional(watch.seconds());
  }

 private:
  static constexpr std::size_t most_steps = 12;
  static constexpr std::uint64_t most_ranked = 2000;

  const TrainOptions& options_;
  const Graph& graph_;
  std::shared_ptr<const PathTable> paths_;
  Team setup_;
  ModelShape shape_;
  Background background_;
  Batches batches_;
};

/// Finds the paths that learning begins with, by one thread and by so many.
Result<void> bench_mining(const Graph& graph, PathOptions options,
                          std::span<const unsigned> threads, const Observer& observer,
                          std::shared_ptr<const PathTable>& paths,
                          std::vector<BenchResult>& results) {
  const auto seconds = [&](unsigned count) -> Result<double> {
    options.threads = exactly(count);
    const Stopwatch watch;
    LERP_TRY(table, mine_paths(graph, options, observer));
    paths = std::make_shared<PathTable>(std::move(table));
    return watch.seconds();
  };
  LERP_TRY(alone, seconds(1));
  results.push_back({"mine_paths_seconds_1", alone, "s"});
  for (const unsigned count : threads) {
    if (count < 2) continue;
    LERP_TRY(together, seconds(count));
    results.push_back({"mine_paths_speedup", alone / together, "", static_cast<double>(count),
                       fmt::format("{} threads", count)});
  }
  return {};
}

Result<void> bench_threads(const Dataset& dataset, const Graph& graph, const TrainOptions& options,
                           std::span<const unsigned> threads, const Observer& observer,
                           std::vector<BenchResult>& results) {
  std::shared_ptr<const PathTable> paths;
  if (options.evidence.paths > 0) {
    LERP_CHECK(bench_mining(graph, path_options(options), threads, observer, paths, results));
  }
  const SpeedTrial trial(dataset, graph, options, std::move(paths));
  const double alone = trial.seconds(1);
  const double fma = measure_fma(1);
  results.push_back({"step_seconds_1", alone, "s"});
  for (const unsigned count : threads) {
    if (count < 2) continue;
    results.push_back({"machine_speedup", measure_fma(count) / fma, "", static_cast<double>(count),
                       fmt::format("{} threads of fma alone", count)});
    results.push_back({"thread_speedup", alone / trial.seconds(count), "",
                       static_cast<double>(count), fmt::format("{} threads", count)});
  }
  LERP_TRY(ranked_alone, trial.ranking_seconds(dataset, 1, observer));
  if (!ranked_alone) return {};
  results.push_back({"rank_seconds_1", *ranked_alone, "s"});
  for (const unsigned count : threads) {
    if (count < 2) continue;
    LERP_TRY(together, trial.ranking_seconds(dataset, count, observer));
    results.push_back({"rank_speedup", *ranked_alone / *together, "", static_cast<double>(count),
                       fmt::format("{} threads", count)});
  }
  return {};
}

}  // namespace

Result<BenchReport> bench_train(const Dataset& dataset, const TrainOptions& given,
                                std::span<const unsigned> threads, const Observer& observer) {
  LERP_TRY(resolved, resolve(dataset, given));
  const TrainOptions& options = *resolved;
  BenchReport report{
      .bench = "train", .machine = measure_machine(options.train.threads), .results = {}};
  const Graph graph = dataset.known_graph(known_splits(options), options.train.threads);
  if (!threads.empty()) {
    LERP_CHECK(bench_threads(dataset, graph, options, threads, observer, report.results));
    return report;
  }
  report.results = bench_kernels(graph, shape_of(options, dataset.relations.size()),
                                 options.train.threads, report.machine);

  // The yardsticks' own arrays do not count.
  reset_peak_memory();
  LERP_TRY(trained, train(dataset, resolved, observer));
  report.results.push_back({"train_seconds", trained.seconds, "s"});
  const std::uint64_t queries = 2 * (dataset[Split::train].size() +
                                     (options.train.on_valid ? dataset[Split::valid].size() : 0));
  report.results.push_back({"train_queries_per_second",
                            static_cast<double>(queries * trained.epochs) / trained.seconds,
                            "1/s"});
  if (!dataset[Split::test].empty()) {
    RankingOptions ranking;
    ranking.threads = options.train.threads;
    const Stopwatch watch;
    LERP_TRY(ranked, evaluate(trained.model,
                              KnownGraph(dataset, known_splits(options), options.train.threads),
                              ranking, observer));
    report.results.push_back({"eval_seconds", watch.seconds(), "s"});
    report.results.push_back({"mrr_realistic", ranked.both.realistic.mrr, ""});
  }
  report.results.push_back({"peak_memory_bytes", static_cast<double>(peak_memory()), "B"});
  return report;
}

}  // namespace lerpp
