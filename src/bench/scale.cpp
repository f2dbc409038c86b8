#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <lerp/base/files.hpp>
#include <lerp/base/text.hpp>
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

  LERP_TRY(train_options, preset("paper", dataset));
  resolve(train_options, dataset);
  const ModelShape shape = shape_of(train_options, dataset.relations.size());
  const auto parameters = initial_parameters<float>(shape, 1);
  Parameters<float> gradient(shape);
  Team team(options.threads);
  Engine<float> engine(graph, shape, team);
  Batch batch;
  const std::vector<Fact>& train = dataset[Split::train];
  batch.target = train.front().relation;
  for (std::size_t i = 0; i < train.size() && batch.starts.size() < options.queries; ++i) {
    if (train[i].relation != batch.target) continue;
    batch.starts.push_back(train[i].subject);
    batch.answers.push_back(train[i].object);
    batch.hidden.push_back(train[i]);
  }
  point.step_seconds = least_seconds(2, [&] { engine.learn(parameters, batch, gradient); });
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
  constexpr double width = 560, height = 380, left = 70, right = 150, top = 20, bottom = 50;
  double low = 1e300, high = 0;
  for (const ScaleBench::Point& point : bench.points) {
    low = std::min({low, point.load_seconds, point.step_seconds});
    high = std::max({high, point.load_seconds, point.step_seconds});
  }
  const double y0 = std::floor(std::log10(low)), y1 = std::ceil(std::log10(high));
  const double x0 = std::log10(bench.points.front().facts),
               x1 = std::log10(bench.points.back().facts);
  const auto x = [&](double facts) {
    return left + (std::log10(facts) - x0) / std::max(1e-9, x1 - x0) * (width - left - right);
  };
  const auto y = [&](double seconds) {
    return height - bottom -
           (std::log10(seconds) - y0) / std::max(1e-9, y1 - y0) * (height - top - bottom);
  };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>svg{{color:#222}}@media(prefers-color-scheme:dark){{svg{{color:#ddd}}}}"
      "text{{fill:currentColor}}.grid{{stroke:currentColor;stroke-opacity:.2}}</style>\n",
      width, height);
  for (double power = y0; power <= y1; ++power) {
    const double at = y(std::pow(10, power));
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g} s</text>\n",
        left, width - right, at, at, left - 8, at + 4, std::pow(10, power));
  }
  for (const ScaleBench::Point& point : bench.points) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       x(point.facts), height - bottom + 20,
                       thousands(static_cast<std::uint64_t>(point.facts)));
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">facts</text>\n",
                     (left + width - right) / 2, height - 8);
  const auto series = [&](double ScaleBench::Point::*value, const char* colour,
                          const std::string& name) {
    std::string line;
    for (const ScaleBench::Point& point : bench.points)
      line += fmt::format("{:.1f},{:.1f} ", x(point.facts), y(point.*value));
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                       line, colour);
    for (const ScaleBench::Point& point : bench.points) {
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                         x(point.facts), y(point.*value), colour);
    }
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}, slope {:.2f}</text>\n", width - right + 10,
                    y(bench.points.back().*value) + 4, name, slope(bench.points, value));
  };
  if (bench.points.size() > 1) {
    series(&ScaleBench::Point::step_seconds, "#d95f02", "training step");
    series(&ScaleBench::Point::load_seconds, "#1b9e77", "loading");
  }
  return svg + "</svg>\n";
}

}  // namespace lerpp
