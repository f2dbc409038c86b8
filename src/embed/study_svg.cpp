// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <lerp/base/chart.hpp>
#include <lerp/embed/study.hpp>

namespace lerpp {
namespace {

using Measure = std::optional<double> EmbedEpoch::*;

/// The mean over the runs of a variant, from the least to the most. A run that ended earlier than
/// others has reached its plateau, and stays at its last value.
std::vector<ChartPoint> mean_curve(std::span<const Embedded> runs, std::string_view variant,
                                   Measure measure) {
  std::vector<const Embedded*> own;
  std::size_t epochs = 0;
  for (const Embedded& run : runs) {
    if (run.options.variant != variant || run.epochs.empty()) continue;
    if (!(run.epochs.front().*measure)) continue;
    own.push_back(&run);
    epochs = std::max(epochs, run.epochs.size());
  }
  std::vector<ChartPoint> curve;
  for (std::size_t i = 0; i < epochs; ++i) {
    ChartPoint point{static_cast<double>(i + 1), 0, {}, {}};
    double low = 1, high = 0;
    for (const Embedded* run : own) {
      const double mrr = *(run->epochs[std::min(i, run->epochs.size() - 1)].*measure);
      point.y += mrr / static_cast<double>(own.size());
      low = std::min(low, mrr);
      high = std::max(high, mrr);
    }
    if (own.size() > 1) point.low = low, point.high = high;
    curve.push_back(point);
  }
  return curve;
}

}  // namespace

std::string curves_svg(std::span<const Embedded> runs) {
  constexpr std::array<std::pair<const char*, std::size_t>, 3> variants = {
      {{"transe", 3}, {"lerp", 1}, {"entropy", 2}}};
  Chart chart{"MRR of an embedding by epoch", {"epoch"}, {"MRR, realistic"}, {}, 720, 440};
  chart.x.whole = true;
  chart.y.low = 0;
  chart.y.high = 1;
  for (const auto& [variant, colour] : variants) {
    const auto add = [&, name = variant, ink = colour](const char* split, bool dashed,
                                                       Measure measure) {
      std::vector<ChartPoint> curve = mean_curve(runs, name, measure);
      if (curve.empty()) return;
      chart.series.push_back({fmt::format("{}, {}", name, split), std::move(curve), dashed, ink});
    };
    add("train", true, &EmbedEpoch::train_mrr);
    add("test", false, &EmbedEpoch::test_mrr);
  }
  return to_svg(chart);
}

}  // namespace lerpp
