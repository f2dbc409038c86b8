// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/bench/report.hpp>

namespace lerpp {
namespace {

/// Four significant digits, with thousands set apart where the number is large.
std::string number(double value) {
  if (std::abs(value) < 10'000) return fmt::format("{:.4g}", value);
  return (value < 0 ? "-" : "") +
         thousands(static_cast<std::uint64_t>(std::llround(std::abs(value))));
}

}  // namespace

Json to_json(const BenchReport& report) {
  Json json = {{"bench", report.bench}};
  json["machine"] = {{"threads", report.machine.threads},
                     {"triad_gb_s", report.machine.triad_gb_s},
                     {"fma_gflop_s", report.machine.fma_gflop_s},
                     {"instructions", report.machine.instructions}};
  json["results"] = Json::array();
  for (const BenchResult& result : report.results) {
    Json row = {{"what", result.what}, {"value", result.value}, {"unit", result.unit}};
    if (result.limit) {
      row["limit"] = *result.limit;
      row["share"] = *result.share();
      row["limit_is"] = result.limit_is;
    }
    if (result.work) {
      row["bytes"] = result.work->bytes;
      row["operations"] = result.work->operations;
      row["seconds"] = result.work->seconds;
    }
    json["results"].push_back(std::move(row));
  }
  return json;
}

std::string to_text(const BenchReport& report) {
  std::string text = fmt::format(
      "{}, {} threads, {}: this machine streams {:.1f} GB/s (triad) and does {:.0f} GFLOP/s (fma)",
      report.bench, report.machine.threads, report.machine.instructions, report.machine.triad_gb_s,
      report.machine.fma_gflop_s);
  for (const BenchResult& result : report.results) {
    text += fmt::format("\n  {:<28} {:>14} {:<8}", result.what, number(result.value), result.unit);
    if (result.limit) {
      text += fmt::format(" {:>5.1f} % of {} ({})", 100 * *result.share(), number(*result.limit),
                          result.limit_is);
    }
    while (text.back() == ' ') text.pop_back();
    if (result.work) {
      text += fmt::format("\n  {:<28} {} MB and {} million operations in {} ms", "",
                          number(result.work->bytes * 1e-6), number(result.work->operations * 1e-6),
                          number(result.work->seconds * 1e3));
    }
  }
  return text;
}

}  // namespace lerpp
