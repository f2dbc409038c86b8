#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <lerp/embed/study.hpp>

namespace lerpp {
namespace {

constexpr double width = 620, height = 380, left = 50, right = 150, top = 20, bottom = 45;

struct Line {
  std::string name;
  std::string_view colour;
  bool dashed = false;
  std::vector<double> values;  ///< by epoch
};

struct Colour {
  std::string_view variant;
  std::string_view value;
};
constexpr std::array colours = {Colour{"transe", "#7570b3"}, Colour{"lerp", "#d95f02"},
                                Colour{"entropy", "#1b9e77"}};

/// The mean over the runs of a variant, as far as all of them go.
std::vector<double> mean_curve(std::span<const Embedded> runs, std::string_view variant,
                               std::optional<double> EmbedEpoch::*value) {
  std::vector<double> sums;
  std::size_t count = 0;
  for (const Embedded& run : runs) {
    if (run.options.variant != variant) continue;
    if (count++ == 0) sums.assign(run.epochs.size(), 0);
    sums.resize(std::min(sums.size(), run.epochs.size()));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += (run.epochs[i].*value).value_or(0);
  }
  for (double& sum : sums) sum /= static_cast<double>(count);
  return sums;
}

std::vector<Line> lines_of(std::span<const Embedded> runs) {
  std::vector<Line> lines;
  for (const Colour& colour : colours) {
    const auto add = [&](const char* split, bool dashed, std::optional<double> EmbedEpoch::*value) {
      std::vector<double> curve = mean_curve(runs, colour.variant, value);
      if (curve.empty()) return;
      lines.push_back(
          {fmt::format("{}, {}", colour.variant, split), colour.value, dashed, std::move(curve)});
    };
    add("train", true, &EmbedEpoch::train_mrr);
    add("test", false, &EmbedEpoch::test_mrr);
  }
  return lines;
}

}  // namespace

std::string curves_svg(std::span<const Embedded> runs) {
  const std::vector<Line> lines = lines_of(runs);
  std::size_t epochs = 2;
  for (const Line& line : lines) epochs = std::max(epochs, line.values.size());
  const auto x = [&](double epoch) {
    return left + (epoch - 1) / static_cast<double>(epochs - 1) * (width - left - right);
  };
  const auto y = [](double mrr) { return height - bottom - mrr * (height - top - bottom); };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>MRR of an embedding by epoch</title>\n"
      "<style>svg{{color:#222}}@media(prefers-color-scheme:dark){{svg{{color:#ddd}}}}"
      "text{{fill:currentColor}}.grid{{stroke:currentColor;stroke-opacity:.2}}</style>\n",
      width, height);
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    const double at = y(tenth / 10.0);
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.1f}</text>\n",
        left, width - right, at, at, left - 8, at + 4, tenth / 10.0);
  }
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const std::size_t epoch = 1 + (epochs - 1) * static_cast<std::size_t>(quarter) / 4;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       x(static_cast<double>(epoch)), height - bottom + 18, epoch);
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">epoch</text>\n",
                     (left + width - right) / 2, height - 6);
  double label = top + 10;
  for (const Line& line : lines) {
    std::string points;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      points += fmt::format("{:.1f},{:.1f} ", x(static_cast<double>(i + 1)), y(line.values[i]));
    }
    const std::string_view dashes = line.dashed ? " stroke-dasharray=\"5 4\"" : "";
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n"
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"2\"{}/><text x=\"{}\" y=\"{:.1f}\">{}</text>\n",
        points, line.colour, dashes, width - right + 10, width - right + 34, label - 4, label - 4,
        line.colour, dashes, width - right + 40, label, line.name);
    label += 20;
  }
  return svg + "</svg>\n";
}

}  // namespace lerpp
