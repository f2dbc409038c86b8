// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <string>

#include <lerp/bench/explain.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

/// What a person takes for at once.
constexpr double goal_seconds = 0.1;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Times {
  std::vector<double> wall;
  std::vector<double> processor;

  template <class Action>
  void add(Action&& action) {
    const double start = processor_seconds();
    const Stopwatch watch;
    action();
    wall.push_back(watch.seconds());
    processor.push_back(processor_seconds() - start);
  }

  static double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  }

  void report(const std::string& name, std::vector<BenchResult>& results) const {
    if (wall.empty()) return;
    results.push_back(
        {name + "_median_seconds", quantile(wall, 0.5), "s", goal_seconds, "the goal"});
    results.push_back({name + "_p95_seconds", quantile(wall, 0.95), "s"});
    results.push_back({name + "_worst_seconds", quantile(wall, 1), "s"});
    results.push_back({name + "_median_processor_seconds", quantile(processor, 0.5), "s"});
    results.push_back({name + "_count", static_cast<double>(wall.size()), ""});
  }
};

}  // namespace

Result<BenchReport> bench_explain(const Predictor& predictor, const ExplainBenchOptions& options,
                                  const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Dataset& dataset = predictor.dataset();
  const std::vector<Fact>& facts =
      dataset[Split::test].empty() ? dataset[Split::train] : dataset[Split::test];
  if (facts.empty()) return fail("there are no facts to explain", dataset.name, "give other data");
  BenchReport report{.bench = "explain", .machine = measure_machine(1), .results = {}};
  Times predicting;
  Times predicted;
  Times missing;
  const std::size_t count = std::min<std::size_t>(options.facts, facts.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (observer.stopped()) return fail_stopped("explaining");
    const Fact& fact = facts[i * facts.size() / count];
    for (const char* direction : {"tail", "head"}) {
      ExplainOptions how;
      how.direction = direction;
      Times one;
      bool reached = false;
      Query query;
      one.add([&] {
        const Explanation explanation = explain(predictor, fact, how).value();
        reached = explanation.predicted;
        query = explanation.query;
      });
      // The first explanation of all reads the functions, once: that is loading.
      if (i > 0) {
        Times& times = reached ? predicted : missing;
        times.wall.push_back(one.wall[0]);
        times.processor.push_back(one.processor[0]);
      }
      predicting.add([&] { predictor.predict(query); });
    }
    observer.report({"explaining", i + 1, count, "facts", {}});
  }
  Times all = predicted;
  all.wall.insert(all.wall.end(), missing.wall.begin(), missing.wall.end());
  all.processor.insert(all.processor.end(), missing.processor.begin(), missing.processor.end());
  predicting.report("predict", report.results);
  all.report("explain", report.results);
  predicted.report("explain_predicted", report.results);
  missing.report("explain_missing", report.results);
  return report;
}

}  // namespace lerpp
