// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/chart.hpp>
#include <lerp/bench/scale.hpp>

#include "paper/parts.hpp"

namespace lerpp {
namespace {

constexpr const char* data_name = "family";
constexpr const char* scale_name = "cost-scale";
constexpr std::array rule_counts = {1U, 2U, 4U, 8U, 16U, 32U, 64U};

std::vector<std::uint32_t> counts_of(const Workshop& workshop) {
  const std::size_t most = workshop.options().quick ? 3 : rule_counts.size();
  return {rule_counts.begin(), rule_counts.begin() + static_cast<std::ptrdiff_t>(most)};
}

/// One epoch with so many rules a target, all with constraints, so that nothing else grows.
Workshop::Training timed(std::uint32_t rules) {
  return {fmt::format("cost-rules-{}", rules),
          data_name,
          {fmt::format("rules.count={}", rules), fmt::format("rules.constrained={}", rules),
           "train.epochs=1"},
          1,
          false};
}

/// By how much the logarithm of y grows with that of x: least squares.
double slope(const std::vector<std::pair<double, double>>& points) {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const auto& [a, b] : points) {
    x += std::log(a);
    y += std::log(b);
    xx += std::log(a) * std::log(a);
    xy += std::log(a) * std::log(b);
  }
  const auto n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

Measurement scale(Workshop& workshop) {
  ScaleBenchOptions options;
  options.smallest = workshop.options().quick ? 1'000 : 100'000;
  options.facts = workshop.options().quick ? 10'000 : 1'000'000;
  options.ranked = 1'000;
  options.threads = workshop.options().threads;
  Measurement one;
  one.name = scale_name;
  one.key = fmt::format("{} {}", options.smallest, options.facts);
  one.cost = static_cast<double>(options.facts) / 1e4;
  one.make = [options](const Observer& watcher) -> Result<Json> {
    LERP_TRY(bench, bench_scale(options, watcher));
    return to_json(bench.report);
  };
  return one;
}

/// Seconds of an epoch over the rules, as table and curve.
void add_rules(Workshop& workshop, PaperPart& part) {
  PaperPart::Table table;
  table.caption = "Family: an epoch with N rules a target, all with constraints";
  table.heads = {"rules a target", "parameters", "of the functions", "train seconds",
                 "rules a second"};
  Series series{"LERP, Family, one epoch", {}};
  std::vector<std::pair<double, double>> points;
  for (const std::uint32_t rules : counts_of(workshop)) {
    const Json& found = workshop.found(timed(rules).name);
    const double seconds = found.at("train_seconds");
    points.emplace_back(rules, seconds);
    series.points.push_back({static_cast<double>(rules), seconds});
    table.rows.push_back({std::to_string(rules),
                          fmt::format("{:.0f}", found.at("parameters").get<double>()),
                          fmt::format("{:.0f}", found.at("parameters_functions").get<double>()),
                          fmt::format("{:.2f}", seconds),
                          fmt::format("{:.0f}", found.at("rules_per_second").get<double>())});
    Json row = found;
    row["item"] = "cost";
    row["dataset"] = data_name;
    row["method"] = "LERP";
    row["setting"] = "train";
    row["seeds"] = 1;
    part.rows.push_back(std::move(row));
  }
  // Few rules share a vector with padding, so that the slope is that of the upper half.
  points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2));
  const double power = slope(points);
  part.verdict = fmt::format(
      "From {:.0f} rules a target on, time grows with the rules to the power of {:.2f}: twice the "
      "rules take {:.2f} times as long.",
      points.front().first, power, std::exp2(power));
  Chart chart;
  chart.title = "Seconds of an epoch over the rules of a target";
  chart.x = {.title = "rules of a target", .logarithmic = true};
  chart.y = {.title = "seconds", .logarithmic = true};
  chart.series.push_back(std::move(series));
  part.tables.push_back(std::move(table));
  part.pictures.push_back(
      {"cost-rules", "Family: seconds of an epoch over the rules of a target", to_svg(chart)});
}

}  // namespace

Result<Measurements> plan_cost(Workshop& workshop) {
  Measurements all;
  all.push_back(scale(workshop));
  if (!workshop.has(data_name)) return all;
  for (const std::uint32_t rules : counts_of(workshop)) {
    LERP_TRY(one, workshop.measurement(timed(rules)));
    all.push_back(std::move(one));
  }
  return all;
}

Result<PaperPart> make_cost(Workshop& workshop) {
  PaperPart part;
  if (workshop.has(data_name)) add_rules(workshop, part);
  PaperPart::Table table;
  table.caption =
      "Theorem 1 bounds the cost by the facts: measured slopes of the preset default on generated "
      "graphs, where 1 is linear";
  table.heads = {"what", "value"};
  for (const Json& result : workshop.found(scale_name).at("results")) {
    const std::string what = result.at("what");
    if (what.find("slope") == std::string::npos) continue;
    const double value = result.at("value");
    table.rows.push_back({what, fmt::format("{:.2f}", value)});
    part.rows.push_back(
        {{"item", "cost"}, {"dataset", "generated"}, {"what", what}, {"value", value}});
  }
  part.tables.push_back(std::move(table));
  if (part.verdict.empty()) part.verdict = "Slopes of the cost over the facts are in the table.";
  part.notes = {
      "Parameters and times of all models stand below Tables 1 and 2, beside those of the "
      "published "
      "program on an H200. The paper's own seconds are of another machine and are not repeated "
      "here."};
  return part;
}

}  // namespace lerpp
