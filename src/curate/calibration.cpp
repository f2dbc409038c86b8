// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/chart.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/curate/calibration.hpp>

#include "base/clock.hpp"
#include "explain/learn_likelihood.hpp"
#include "explain/predictor_state.hpp"

namespace lerpp {
namespace {

/// By score; the most likely of them is first.
constexpr std::size_t looked_at = 10;

struct First {
  Fact fact;
  double probability = 0;
};

/// The most likely answer that the data does not know, test facts apart.
std::optional<First> first_new(const Predictor& predictor,
                               std::span<const CandidateFact> candidates) {
  std::optional<First> best;
  for (const CandidateFact& one : candidates) {
    const std::optional<Split> split = predictor.split_of(one.fact);
    if (split && *split != Split::test) continue;
    const double probability = predictor.state().probability(one);
    if (!best || probability > best->probability) best = {one.fact, probability};
  }
  return best;
}

void add(Calibration& result, const First& first, bool is_true) {
  const auto count = static_cast<double>(result.bins.size());
  const auto place = static_cast<std::size_t>(first.probability * count);
  Calibration::Bin& bin = result.bins[std::min(place, result.bins.size() - 1)];
  ++bin.count;
  bin.mean += first.probability;
  bin.truth += is_true ? 1 : 0;
  const double off = first.probability - (is_true ? 1 : 0);
  result.brier += off * off;
  ++result.questions;
}

void sums_to_means(Calibration& result) {
  std::erase_if(result.bins, [](const Calibration::Bin& bin) { return bin.count == 0; });
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, result.questions));
  result.brier /= all;
  for (Calibration::Bin& bin : result.bins) {
    const auto count = static_cast<double>(bin.count);
    result.ece += std::abs(bin.mean - bin.truth) / all;
    bin.mean /= count;
    bin.truth /= count;
  }
}

}  // namespace

Result<Calibration> calibration(const Predictor& predictor, const CalibrationOptions& options,
                                const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Clock::time_point begin = Clock::now();
  const Predictor::State& state = predictor.state();
  if (!state.likelihood) {
    return fail("the model has not learned how likely its answers are", state.dataset().name,
                "ask through a run");
  }
  if (state.dataset()[Split::test].empty()) {
    return fail("there are no test facts to hold probabilities against", state.dataset().name,
                "give data with test facts with --data");
  }
  const Judge& judge = state.judge;
  std::vector<Query> queries =
      draw_questions(judge.habits(), judge.graph(), options.questions, options.seed);
  sort_queries(queries);
  LERP_TRY(lists, judge.best(queries, looked_at, observer));
  Calibration result;
  result.dataset = state.dataset().name;
  for (std::uint32_t i = 0; i < options.bins; ++i) {
    result.bins.push_back(
        {static_cast<double>(i) / options.bins, static_cast<double>(i + 1) / options.bins});
  }
  for (const std::vector<CandidateFact>& candidates : lists) {
    const std::optional<First> first = first_new(predictor, candidates);
    if (!first) continue;
    add(result, *first, predictor.split_of(first->fact) == Split::test);
    const bool loop = first->fact.subject == first->fact.object;
    if (loop && judge.habits().loops(first->fact.relation) == 0) ++result.loops_first;
  }
  sums_to_means(result);
  result.seconds = seconds_since(begin);
  return result;
}

Json to_json(const Calibration& calibration) {
  Json json = {{"questions", calibration.questions},
               {"ece", calibration.ece},
               {"brier", calibration.brier},
               {"bins", Json::array()},
               {"loops_first", calibration.loops_first},
               {"seconds", calibration.seconds}};
  for (const Calibration::Bin& bin : calibration.bins) {
    json["bins"].push_back({{"from", bin.from},
                            {"to", bin.to},
                            {"count", bin.count},
                            {"mean", bin.mean},
                            {"true", bin.truth}});
  }
  return json;
}

std::string to_text(const Calibration& calibration) {
  std::string text = fmt::format(
      "{}: the most likely new answers of {} questions, against the test facts\n"
      "expected calibration error {:.3f}   Brier {:.3f}   loops first {}\n"
      "probability      count     mean     true",
      calibration.dataset, thousands(calibration.questions), calibration.ece, calibration.brier,
      calibration.loops_first);
  for (const Calibration::Bin& bin : calibration.bins) {
    text += fmt::format("\n{:.2f} to {:.2f} {:>9} {:>8.3f} {:>8.3f}", bin.from, bin.to,
                        thousands(bin.count), bin.mean, bin.truth);
  }
  return text;
}

std::string to_svg(const Calibration& calibration) {
  Chart chart;
  chart.title = calibration.dataset + ": what was said, and what was true";
  chart.x = {.title = "probability", .low = 0, .high = 1};
  chart.y = {.title = "share that is true", .low = 0, .high = 1};
  Series said{.name = "new answers", .points = {}};
  for (const Calibration::Bin& bin : calibration.bins) said.points.push_back({bin.mean, bin.truth});
  chart.series = {said, {.name = "as it should be", .points = {{0, 0}, {1, 1}}, .dashed = true}};
  constexpr double side = 420;
  chart.width = side;
  chart.height = side;
  return to_svg(chart);
}

}  // namespace lerpp
