#include <lerp/bench/train.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"

namespace lerpp {

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
