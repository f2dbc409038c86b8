// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/base/chart.hpp>
#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/train/trace.hpp>

#include "base/run_folder.hpp"

namespace lerpp {
namespace {

constexpr double width = 640;
constexpr double height = 240;

EpochReport epoch_of(const Json& json) {
  EpochReport report;
  report.stage = json.value("stage", report.stage);
  report.epoch = json.value("epoch", report.epoch);
  report.epochs = json.value("epochs", report.epochs);
  report.loss = json.value("loss", report.loss);
  if (json.contains("valid_mrr")) {
    Protocols& valid = report.valid.emplace();
    valid.realistic.mrr = json.value("valid_mrr", 0.0);
    valid.optimistic.mrr = json.value("valid_mrr_optimistic", 0.0);
    valid.pessimistic.mrr = json.value("valid_mrr_pessimistic", 0.0);
    valid.realistic.hits_at_1 = json.value("valid_hits_at_1", 0.0);
    valid.realistic.hits_at_10 = json.value("valid_hits_at_10", 0.0);
  }
  report.best = json.value("best", false);
  report.rate = json.value("rate", 0.0);
  report.seconds = json.value("seconds", 0.0);
  report.queries_per_second = json.value("queries_per_second", 0.0);
  report.peak_memory_bytes = json.value("peak_memory_bytes", std::uint64_t{0});
  return report;
}

/// One series a stage: an embedding's loss is another loss. Epochs are counted through.
template <class Value>
Chart chart_of(const std::vector<EpochReport>& trace, const std::string& title, Value&& value) {
  Chart chart{title, {"epoch"}, {}, {}, width, height};
  chart.x.whole = true;
  std::string stage;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    std::optional<ChartPoint> point = value(trace[i]);
    if (!point) continue;
    if (chart.series.empty() || trace[i].stage != stage) {
      stage = trace[i].stage;
      chart.series.push_back({stage == "rules" ? "rules" : "with " + stage, {}});
    }
    point->x = static_cast<double>(i + 1);
    chart.series.back().points.push_back(*point);
  }
  return chart;
}

}  // namespace

Result<std::vector<EpochReport>> load_trace(const std::filesystem::path& run) {
  const std::filesystem::path path = run / trace_file;
  if (!std::filesystem::exists(path) && !std::filesystem::exists(run / config_file)) {
    return no_run_folder(run);
  }
  LERP_TRY(bytes, read_file(path));
  std::vector<EpochReport> trace;
  std::string_view rest = bytes.view();
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;
       rest.remove_prefix(end + 1)) {
    const Json line = Json::parse(rest.substr(0, end), nullptr, false);
    if (!line.is_object()) {
      return fail("the line is not a JSON object",
                  fmt::format("{}, line {}", path.string(), trace.size() + 1),
                  "the file is damaged; train again");
    }
    trace.push_back(epoch_of(line));
  }
  return trace;
}

std::string curves_svg(const std::vector<EpochReport>& trace) {
  const Chart loss = chart_of(trace, "Loss", [](const EpochReport& report) {
    return std::optional<ChartPoint>(ChartPoint{0, report.loss});
  });
  const Chart valid =
      chart_of(trace, "MRR on the validation facts",
               [](const EpochReport& report) -> std::optional<ChartPoint> {
                 if (!report.valid) return {};
                 return ChartPoint{0, report.valid->realistic.mrr, report.valid->pessimistic.mrr,
                                   report.valid->optimistic.mrr};
               });
  const bool validated = !valid.series.empty();
  Svg svg(width, validated ? 2 * height : height, "Training curves",
          validated ? "Loss, and MRR on the validation facts, over the epochs"
                    : "Loss over the epochs");
  draw(svg, loss, {0, 0});
  if (validated) draw(svg, valid, {0, height});
  return svg.finish();
}

}  // namespace lerpp
