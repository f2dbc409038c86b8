// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/chart.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/base/memory_plan.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/base/text.hpp>
#include <lerp/bench/scale.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;
using Point = ScaleBench::Point;
using RelationPoint = ScaleBench::RelationPoint;

/// What a fact takes, from loading to ranking, and what it takes of each thread; see
/// docs/benchmarks.md.
constexpr std::uint64_t bytes_per_fact = 80;
constexpr std::uint64_t thread_bytes_per_fact = 3;
constexpr std::uint64_t least_bytes = std::uint64_t{256} << 20U;
/// Lanes take more on small graphs, whose queries reach most of them, and are bounded on large
/// ones.
constexpr std::uint64_t lane_bytes_per_fact = 17'000;
constexpr std::uint64_t most_lane_bytes = std::uint64_t{7} << 30U;
constexpr double queries_per_step = 16;

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("lerp-scale-{}", ::getpid());
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

/// The slope of log(y) over log(x), by least squares.
template <class Item>
double slope(const std::vector<Item>& points, double Item::*over, double Item::*value) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const Item& point : points) {
    const double a = std::log(point.*over);
    const double b = std::log(point.*value);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const auto n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

std::uint64_t bytes_for(std::uint64_t facts, unsigned threads) {
  const std::uint64_t own = bytes_per_fact + thread_bytes_per_fact * worker_count(threads);
  return least_bytes + own * facts + std::min(most_lane_bytes, lane_bytes_per_fact * facts);
}

double slope(const std::vector<Point>& points, double Point::*value) {
  return slope(points, &Point::facts, value);
}

/// `default`, with one epoch of about so many queries.
Result<ResolvedOptions> bounded_default(const Dataset& dataset, const ScaleBenchOptions& options) {
  LERP_TRY(train, preset("default", dataset));
  train.train.epochs = 1;
  train.train.queries =
      std::max<std::uint64_t>(1, options.queries / (2 * dataset.relations.size()));
  train.train.threads = options.threads;
  train.valid.facts = 100;
  return resolve(dataset, train);
}

/// Loads, again and again where that takes no time: the best counts.
Result<Dataset> timed_load(const fs::path& path, unsigned threads, double& best,
                           const Observer& observer) {
  constexpr double enough = 1;
  LoadOptions options;
  options.threads = threads;
  best = 1e300;
  for (double total = 0;;) {
    const Stopwatch watch;
    LERP_TRY(dataset, load(path, options, observer));
    { const Graph graph = dataset.known_graph(KnownSplits::train, threads, observer); }
    best = std::min(best, watch.seconds());
    total += watch.seconds();
    if (total >= enough || observer.stopped()) return std::move(dataset);
  }
}

Result<Point> measure(std::uint64_t facts, const ScaleBenchOptions& options,
                      const Observer& observer) {
  Point point;
  point.facts = static_cast<double>(facts);
  const TemporaryFolder folder;
  {
    ScaleOptions scale;
    scale.facts = facts;
    LERP_TRY(generated, generate_scale(scale, observer));
    LERP_CHECK(write_generated(generated, folder.path, WriteFormat::tsv, observer));
  }
  reset_peak_memory();
  LERP_TRY(dataset, timed_load(folder.path, options.threads, point.load_seconds, observer));
  LERP_TRY(train_options, bounded_default(dataset, options));
  TrainHooks hooks;
  hooks.epoch = [&](const EpochReport& report) -> Result<void> {
    point.step_seconds = queries_per_step / report.queries_per_second;
    return {};
  };
  const Stopwatch learning;
  LERP_TRY(trained, train(dataset, train_options, observer, hooks));
  point.epoch_seconds = learning.seconds();
  RankingOptions ranking;
  ranking.threads = options.threads;
  ranking.facts = options.ranked / 2;
  const Stopwatch watch;
  LERP_CHECK(evaluate(trained.model, KnownGraph(dataset, KnownSplits::train, options.threads),
                      ranking, observer));
  point.rank_seconds = watch.seconds();
  point.peak_memory_bytes = static_cast<double>(peak_memory());
  return point;
}

std::uint64_t largest_of(const ScaleBenchOptions& options) {
  return options.facts > 0 ? options.facts : 10'000'000;
}

Result<void> over_facts(const ScaleBenchOptions& options, const Observer& observer,
                        ScaleBench& bench) {
  const std::uint64_t largest = largest_of(options);
  const auto add = [&](const std::string& what, double value, const char* unit) {
    bench.report.results.push_back({what, value, unit});
  };
  for (std::uint64_t facts = std::min(options.smallest, largest); facts <= largest; facts *= 10) {
    LERP_TRY(point, measure(facts, options, observer));
    bench.points.push_back(point);
    const std::string size = fmt::format("_{:.0e}", static_cast<double>(facts));
    add("load_seconds" + size, point.load_seconds, "s");
    add("step_seconds" + size, point.step_seconds, "s");
    add("epoch_seconds" + size, point.epoch_seconds, "s");
    add("rank_seconds" + size, point.rank_seconds, "s");
    add("peak_memory_bytes" + size, point.peak_memory_bytes, "B");
  }
  if (bench.points.size() < 2) return {};
  const auto add_slope = [&](const char* what, double Point::*value) {
    bench.report.results.push_back(
        {what, slope(bench.points, value), "", 1.0, "linear in the facts"});
  };
  add_slope("slope", &Point::step_seconds);
  add_slope("load_slope", &Point::load_seconds);
  add_slope("rank_slope", &Point::rank_seconds);
  add_slope("memory_slope", &Point::peak_memory_bytes);
  return {};
}

Result<std::vector<std::uint32_t>> parse_relations(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    std::uint32_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, code] = std::from_chars(word.data(), end, number);
    if (code != std::errc() || stop != end || number < 4 ||
        (!numbers.empty() && number <= numbers.back())) {
      return fail(fmt::format("relations cannot be '{}'", word), "",
                  "give numbers from 4 on that rise, such as 5,20,100", ErrorKind::usage);
    }
    numbers.push_back(number);
  }
  if (numbers.empty()) {
    return fail("there are no numbers of relations", "", "give some, such as 5,20,100",
                ErrorKind::usage);
  }
  return numbers;
}

Result<RelationPoint> measure_relations(std::uint64_t facts, std::uint32_t relations,
                                        const ScaleBenchOptions& options,
                                        const Observer& observer) {
  ScaleOptions scale;
  scale.facts = facts;
  scale.relations = relations;
  LERP_TRY(generated, generate_scale(scale, observer));
  LERP_TRY(train_options, resolve(generated.dataset, OptionRequest{.threads = options.threads}));
  const Stopwatch watch;
  LERP_CHECK(train(generated.dataset, train_options, observer));
  return RelationPoint{static_cast<double>(facts), static_cast<double>(relations), watch.seconds()};
}

/// Several series, since `default` chooses other sizes for small graphs than for large ones.
Result<void> over_relations(const ScaleBenchOptions& options, const Observer& observer,
                            ScaleBench& bench) {
  LERP_TRY(relations, parse_relations(options.relations));
  const std::uint64_t middle = options.facts > 0 ? options.facts : 20'000;
  double steepest = 0;
  for (const std::uint64_t facts : {std::max<std::uint64_t>(10, middle / 4), middle, 4 * middle}) {
    std::vector<RelationPoint> series;
    for (const std::uint32_t count : relations) {
      LERP_TRY(point, measure_relations(facts, count, options, observer));
      series.push_back(point);
      bench.report.results.push_back(
          {fmt::format("train_seconds_{}_facts_{}_relations", facts, count), point.train_seconds,
           "s"});
    }
    if (series.size() > 1) {
      steepest = std::max(steepest,
                          slope(series, &RelationPoint::relations, &RelationPoint::train_seconds));
    }
    bench.relation_points.insert(bench.relation_points.end(), series.begin(), series.end());
  }
  if (relations.size() > 1) {
    bench.report.results.push_back(
        {"relations_slope", steepest, "", 1.0, "linear in the relations"});
  }
  return {};
}

Chart facts_chart(const ScaleBench& bench) {
  Chart chart{"How time grows with the facts", {"facts", true}, {"seconds", true}, {}};
  const auto add = [&](const std::string& name, double Point::*value) {
    Series series;
    series.name = bench.points.size() > 1
                      ? fmt::format("{}, slope {:.2f}", name, slope(bench.points, value))
                      : name;
    for (const Point& point : bench.points) series.points.push_back({point.facts, point.*value});
    chart.series.push_back(std::move(series));
  };
  add("a step", &Point::step_seconds);
  add("loading", &Point::load_seconds);
  add("ranking", &Point::rank_seconds);
  return chart;
}

Chart relations_chart(const ScaleBench& bench) {
  Chart chart{
      "How default's time grows with the relations", {"relations", true}, {"seconds", true}, {}};
  for (const RelationPoint& point : bench.relation_points) {
    const std::string name =
        fmt::format("{} facts", thousands(static_cast<std::uint64_t>(point.facts)));
    if (chart.series.empty() || chart.series.back().name != name)
      chart.series.push_back({name, {}});
    chart.series.back().points.push_back({point.relations, point.train_seconds});
  }
  return chart;
}

}  // namespace

Result<ScaleBench> bench_scale(const ScaleBenchOptions& options, const Observer& observer) {
  const bool facts = options.over == "facts";
  if (facts) {
    const std::uint64_t largest = largest_of(options);
    LERP_CHECK(check_memory(fmt::format("a graph of {} facts", thousands(largest)),
                            bytes_for(largest, options.threads), free_memory()));
  } else {
    LERP_CHECK(parse_relations(options.relations));
  }
  ScaleBench bench;
  bench.report.bench = "scale";
  bench.report.machine = measure_machine(options.threads);
  LERP_CHECK(facts ? over_facts(options, observer, bench)
                   : over_relations(options, observer, bench));
  return bench;
}

std::string to_svg(const ScaleBench& bench) {
  return to_svg(bench.relation_points.empty() ? facts_chart(bench) : relations_chart(bench));
}

}  // namespace lerpp
