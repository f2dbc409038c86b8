#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/chart.hpp>
#include <lerp/base/files.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/bench/train.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"
#include "model/engine.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("lerp-scale-{}", ::getpid());
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

/// The slope of log(seconds) over log(facts), by least squares.
double slope(const std::vector<ScaleBench::Point>& points, double ScaleBench::Point::*value) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const ScaleBench::Point& point : points) {
    const double a = std::log(point.facts);
    const double b = std::log(point.*value);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const auto n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

Result<ScaleBench::Point> measure(std::uint64_t facts, const ScaleBenchOptions& options,
                                  const Observer& observer) {
  ScaleBench::Point point;
  const TemporaryFolder folder;
  {
    ScaleOptions scale;
    scale.facts = facts;
    LERP_TRY(generated, generate_scale(scale, observer));
    LERP_CHECK(write_generated(generated, folder.path, WriteFormat::tsv, observer));
  }
  reset_peak_memory();
  LoadOptions load_options;
  load_options.threads = options.threads;
  const Stopwatch loading;
  LERP_TRY(dataset, load(folder.path, load_options, observer));
  const Graph graph = dataset.known_graph(false, options.threads);
  point.load_seconds = loading.seconds();
  point.facts = static_cast<double>(graph.facts());

  LERP_TRY(train_options, resolve(dataset, OptionRequest{.preset = "paper"}));
  const ModelShape shape = shape_of(*train_options, dataset.relations.size());
  const auto parameters = initial_parameters<float>(shape, 1);
  Parameters<float> gradient(shape);
  Team team(options.threads);
  const Background background(shape, graph, nullptr, team);
  Engine<float> engine(background, team);
  StepFindings<float> findings;
  Batch batch;
  const std::vector<Fact>& train = dataset[Split::train];
  batch.target = train.front().relation;
  for (std::size_t i = 0; i < train.size() && batch.starts.size() < options.queries; ++i) {
    if (train[i].relation != batch.target) continue;
    batch.starts.push_back(train[i].subject);
    batch.answers.push_back(train[i].object);
    batch.hidden.push_back(train[i]);
  }
  point.step_seconds = least_seconds(2, [&] {
    engine.learn(parameters, {&batch, 1}, {.length = shape.length}, gradient, findings);
  });
  point.peak_memory_bytes = static_cast<double>(peak_memory());
  return point;
}

}  // namespace

Result<ScaleBench> bench_scale(const ScaleBenchOptions& options, const Observer& observer) {
  ScaleBench bench;
  bench.report.bench = "scale";
  bench.report.machine = measure_machine(options.threads);
  for (std::uint64_t facts = options.smallest; facts <= options.largest; facts *= 10) {
    LERP_TRY(point, measure(facts, options, observer));
    bench.points.push_back(point);
    const std::string size = fmt::format("_{:.0e}", static_cast<double>(facts));
    bench.report.results.push_back({"load_seconds" + size, point.load_seconds, "s"});
    bench.report.results.push_back({"step_seconds" + size, point.step_seconds, "s"});
    bench.report.results.push_back({"peak_memory_bytes" + size, point.peak_memory_bytes, "B"});
  }
  if (bench.points.size() > 1) {
    bench.report.results.push_back({"slope", slope(bench.points, &ScaleBench::Point::step_seconds),
                                    "", 1.0, "linear in the facts"});
    bench.report.results.push_back({"load_slope",
                                    slope(bench.points, &ScaleBench::Point::load_seconds), "", 1.0,
                                    "linear in the facts"});
  }
  return bench;
}

std::string to_svg(const ScaleBench& bench) {
  Chart chart{"How time grows with the facts", {"facts", true}, {"seconds", true}, {}};
  const auto add = [&](const std::string& name, double ScaleBench::Point::*value) {
    Series series;
    series.name = bench.points.size() > 1
                      ? fmt::format("{}, slope {:.2f}", name, slope(bench.points, value))
                      : name;
    for (const ScaleBench::Point& point : bench.points)
      series.points.push_back({point.facts, point.*value});
    chart.series.push_back(std::move(series));
  };
  add("training step", &ScaleBench::Point::step_seconds);
  add("loading", &ScaleBench::Point::load_seconds);
  return to_svg(chart);
}

}  // namespace lerpp
