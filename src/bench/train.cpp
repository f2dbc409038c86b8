#include <lerp/bench/train.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"
#include "model/background.hpp"
#include "train/batches.hpp"

namespace lerpp {
namespace {

/// Seconds of the first batches of an epoch, gradients and all, by so many threads.
double learning_seconds(const Dataset& dataset, const Graph& graph, const TrainOptions& options,
                        unsigned threads) {
  constexpr std::size_t most_batches = 64;
  const ModelShape shape = shape_of(options, dataset.relations.size());
  Team team(threads);
  const Background background(shape, graph, nullptr, team);
  Engine<float> engine(graph, shape, team, Path::automatic, options.train.thin);
  for (auto& term : make_terms<float>(shape, graph, background, team.size()))
    engine.add(std::move(term));
  const auto parameters = initial_parameters<float>(shape, options.train.seed);
  Parameters<float> gradient(shape);
  Batches batches(dataset, options);
  batches.start_epoch(0);
  const std::size_t count = std::min(most_batches, batches.size());
  Batch batch;
  return least_seconds(3, [&] {
    // Spread over the epoch, so that small and large targets are among them.
    for (std::size_t i = 0; i < count; ++i) {
      batches.fill(i * batches.size() / count, batch);
      engine.learn(parameters, batch, gradient);
    }
  });
}

/// Seconds to find the paths that learning begins with.
Result<double> mining_seconds(const Graph& graph, const TrainOptions& options, unsigned threads,
                              const Observer& observer) {
  PathOptions paths;
  paths.paths = options.evidence.paths;
  paths.length = options.evidence.path_length;
  paths.direct = options.evidence.direct;
  paths.seed = options.train.seed;
  paths.threads = threads;
  const Stopwatch watch;
  LERP_CHECK(mine_paths(graph, paths, observer));
  return watch.seconds();
}

/// Alone and together, where there are paths to be found.
Result<void> bench_mining(const Graph& graph, const TrainOptions& options, const Observer& observer,
                          std::vector<BenchResult>& results) {
  const unsigned threads = options.train.threads;
  if (options.evidence.paths == 0) return {};
  LERP_TRY(together, mining_seconds(graph, options, threads, observer));
  results.push_back({"mine_paths_seconds", together, "s"});
  if (threads == 1) return {};
  LERP_TRY(alone, mining_seconds(graph, options, 1, observer));
  results.push_back({"mine_paths_speedup", alone / together, "", static_cast<double>(threads),
                     "one for each thread"});
  return {};
}

}  // namespace

Result<BenchReport> bench_train(const Dataset& dataset, const TrainOptions& given,
                                const Observer& observer) {
  TrainOptions options = given;
  resolve(options, dataset);
  LERP_CHECK(check_options(options));
  BenchReport report{
      .bench = "train", .machine = measure_machine(options.train.threads), .results = {}};
  const Graph graph = dataset.known_graph(options.train.on_valid, options.train.threads);
  report.results = bench_kernels(graph, shape_of(options, dataset.relations.size()),
                                 options.train.threads, report.machine);

  // Paths would have to be mined for it, and the paper has none.
  if (options.train.threads > 1 && options.evidence.paths == 0) {
    const double alone = learning_seconds(dataset, graph, options, 1);
    const double together = learning_seconds(dataset, graph, options, options.train.threads);
    report.results.push_back({"thread_speedup", alone / together, "",
                              static_cast<double>(options.train.threads), "one for each thread"});
  }

  LERP_CHECK(bench_mining(graph, options, observer, report.results));

  // The yardsticks' own arrays do not count.
  reset_peak_memory();
  LERP_TRY(trained, train(dataset, options, observer));
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
    LERP_TRY(ranked, evaluate(trained.model, dataset, ranking, options.train.on_valid, observer));
    report.results.push_back({"eval_seconds", watch.seconds(), "s"});
    report.results.push_back({"mrr_realistic", ranked.both.realistic.mrr, ""});
  }
  report.results.push_back({"peak_memory_bytes", static_cast<double>(peak_memory()), "B"});
  return report;
}

}  // namespace lerpp
