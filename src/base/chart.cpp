// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <lerp/base/chart.hpp>

namespace lerpp {
namespace {

constexpr double gap = 8;
constexpr double legend_line = 18;
constexpr double bottom = 46;
constexpr double marker = 3.5;
constexpr std::size_t most_markers = 40;  ///< of a line; one of more points has some at even steps

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

/// What an axis shows, and where.
class Scale {
 public:
  Scale(const Axis& axis, Range range, bool widen) : logarithmic_(axis.logarithmic) {
    for (const Tick& tick : axis.ticks) range.add(tick.at);
    if (range.empty()) range = {logarithmic_ ? 1.0 : 0.0, logarithmic_ ? 10.0 : 1.0};
    range.low = axis.low.value_or(range.low);
    range.high = axis.high.value_or(range.high);
    if (axis.ticks.empty()) {
      const std::vector<double> at = nice_ticks(range.low, range.high, logarithmic_);
      if (widen) {
        if (!axis.low) range.low = std::min(range.low, at.front());
        if (!axis.high) range.high = std::max(range.high, at.back());
      }
      for (const double value : at) {
        const double margin = 1e-9 * (range.high - range.low);
        if (axis.whole && std::abs(value - std::round(value)) > 1e-9) continue;
        if (value < range.low - margin || value > range.high + margin) continue;
        ticks_.push_back({value, label(value, axis.unit)});
      }
    } else {
      ticks_ = axis.ticks;
    }
    low_ = forward(range.low);
    high_ = forward(range.high);
    if (high_ - low_ < 1e-12) low_ -= 0.5, high_ += 0.5;
  }

  const std::vector<Tick>& ticks() const { return ticks_; }
  /// 0 at the lower end, 1 at the upper.
  double share(double value) const { return (forward(value) - low_) / (high_ - low_); }

 private:
  double forward(double value) const { return logarithmic_ ? std::log10(value) : value; }
  static std::string label(double value, const std::string& unit) {
    const double round = std::abs(value) < 1e-12 ? 0 : value;
    std::string text =
        std::abs(round) >= 1e5 ? fmt::format("{:.0e}", round) : fmt::format("{:g}", round);
    return unit.empty() ? text : text + " " + unit;
  }

  bool logarithmic_;
  double low_ = 0;
  double high_ = 1;
  std::vector<Tick> ticks_;
};

struct Frame {
  double left, right, top, bottom;
};

/// `shape` and `colour` count round.
void draw_marker(Svg& svg, Point at, std::size_t shape, std::size_t colour,
                 const std::string& note) {
  const std::string classes = fmt::format("mark {}", colour_class(colour));
  const Look look{classes, 0, 1, note};
  switch (shape % 4) {
    case 0:
      svg.circle(at, marker, look);
      break;
    case 1:
      svg.rectangle({at.x - marker, at.y - marker}, 2 * marker, 2 * marker, look);
      break;
    case 2:
      svg.polygon(std::vector<Point>{{at.x, at.y - marker - 1},
                                     {at.x + marker + 1, at.y + marker},
                                     {at.x - marker - 1, at.y + marker}},
                  look);
      break;
    default:
      svg.polygon(std::vector<Point>{{at.x, at.y - marker - 1.5},
                                     {at.x + marker + 1.5, at.y},
                                     {at.x, at.y + marker + 1.5},
                                     {at.x - marker - 1.5, at.y}},
                  look);
  }
}

class Painter {
 public:
  Painter(Svg& svg, const Chart& chart, Point corner)
      : svg_(svg),
        chart_(chart),
        x_(chart.x, range_of_x(chart), false),
        y_(chart.y, range_of_y(chart), true) {
    frame_.right = corner.x + chart.width - 16;
    frame_.top = corner.y + (chart.title.empty() ? 6 : 26);
    frame_.bottom = corner.y + chart.height - bottom;
    double labels = 0;
    for (const Tick& tick : y_.ticks()) labels = std::max(labels, text_width(tick.label));
    frame_.left = corner.x + labels + 2 * gap + (chart.y.title.empty() ? 0 : 18);
    if (!chart.title.empty()) {
      svg.text({corner.x + gap, corner.y + 14},
               fit_text(chart.title, (chart.width - 2 * gap) / 1.1, 13),
               {.size = 13, .bold = true});
    }
    if (!chart.y.title.empty()) {
      svg.text({corner.x + 13, (frame_.top + frame_.bottom) / 2},
               fit_text(chart.y.title, frame_.bottom - frame_.top),
               {.anchor = Anchor::middle, .turn = -90});
    }
  }

  void paint() {
    if (chart_.series.size() > 1) legend();
    axes();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) series(i);
  }

 private:
  static Range range_of_x(const Chart& chart) {
    Range range;
    for (const Series& series : chart.series) {
      for (const ChartPoint& point : series.points) range.add(point.x);
    }
    return range;
  }
  static Range range_of_y(const Chart& chart) {
    Range range;
    for (const Series& series : chart.series) {
      for (const ChartPoint& point : series.points) {
        range.add(point.y);
        range.add(point.low.value_or(point.y));
        range.add(point.high.value_or(point.y));
      }
    }
    return range;
  }

  double x(double value) const {
    return frame_.left + 10 + x_.share(value) * (frame_.right - frame_.left - 20);
  }
  double y(double value) const {
    return frame_.bottom - y_.share(value) * (frame_.bottom - frame_.top);
  }

  /// Above the plot, in as many lines as it takes.
  void legend() {
    double at = frame_.left;
    double line = frame_.top + 8;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const Series& series = chart_.series[i];
      const double width = 30 + text_width(series.name) + 2 * gap;
      if (at > frame_.left && at + width > frame_.right) {
        at = frame_.left;
        line += legend_line;
      }
      const std::string classes = line_classes(i);
      svg_.line({at, line}, {at + 24, line}, {classes});
      draw_marker(svg_, {at + 12, line}, i, colour(i), {});
      svg_.text({at + 30, line + 4}, fit_text(series.name, frame_.right - at - 30),
                {.note = series.name});
      at += width;
    }
    frame_.top = line + 18;
  }

  void axes() {
    for (const Tick& tick : y_.ticks()) {
      svg_.line({frame_.left, y(tick.at)}, {frame_.right, y(tick.at)}, {"grid"});
      svg_.text({frame_.left - gap, y(tick.at) + 4}, tick.label, {.anchor = Anchor::end});
    }
    double free_from = -1e9;
    for (const Tick& tick : x_.ticks()) {
      svg_.line({x(tick.at), frame_.bottom}, {x(tick.at), frame_.bottom + 4}, {"grid"});
      const double half = text_width(tick.label) / 2;
      if (x(tick.at) - half < free_from) continue;
      free_from = x(tick.at) + half + gap;
      svg_.text({x(tick.at), frame_.bottom + 18}, tick.label, {.anchor = Anchor::middle});
    }
    svg_.text({(frame_.left + frame_.right) / 2, frame_.bottom + 38}, chart_.x.title,
              {.anchor = Anchor::middle});
  }

  std::size_t colour(std::size_t i) const { return chart_.series[i].colour.value_or(i); }
  std::string line_classes(std::size_t i) const {
    return fmt::format("line {}{}", colour_class(colour(i)),
                       chart_.series[i].dashed ? " dashed" : "");
  }

  void series(std::size_t index) {
    const Series& series = chart_.series[index];
    std::vector<Point> line, band;
    for (const ChartPoint& point : series.points) {
      if (!std::isfinite(point.y)) continue;
      line.push_back({x(point.x), y(point.y)});
      band.push_back({x(point.x), y(point.high.value_or(point.y))});
    }
    const bool spread =
        std::any_of(series.points.begin(), series.points.end(),
                    [](const ChartPoint& point) { return point.low || point.high; });
    if (spread) {
      for (std::size_t i = series.points.size(); i-- > 0;) {
        const ChartPoint& point = series.points[i];
        if (std::isfinite(point.y)) band.push_back({x(point.x), y(point.low.value_or(point.y))});
      }
      const std::string classes = fmt::format("mark {}", colour_class(colour(index)));
      svg_.polygon(band, {classes, 0, 0.2});
    }
    const std::string classes = line_classes(index);
    if (line.size() > 1) svg_.polyline(line, {classes});
    const std::size_t every = (series.points.size() + most_markers - 1) / most_markers;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const ChartPoint& point = series.points[i];
      if (!std::isfinite(point.y) || (i % every != 0 && i + 1 < series.points.size())) continue;
      draw_marker(
          svg_, {x(point.x), y(point.y)}, index, colour(index),
          fmt::format("{}: {:.4g}", series.name.empty() ? chart_.y.title : series.name, point.y));
    }
  }

  Svg& svg_;
  const Chart& chart_;
  Scale x_;
  Scale y_;
  Frame frame_ = {};
};

}  // namespace

std::vector<double> nice_ticks(double low, double high, bool logarithmic, int about) {
  assert(about > 0);
  std::vector<double> ticks;
  if (logarithmic) {
    const double first = std::floor(std::log10(low) + 1e-9);
    const double last = std::ceil(std::log10(high) - 1e-9);
    const double step = std::max(1.0, std::ceil((last - first) / (2.0 * about)));
    for (double power = first; power <= std::max(last, first + 1); power += step)
      ticks.push_back(std::pow(10.0, power));
    return ticks;
  }
  if (!(high > low)) high = low + std::max(1.0, std::abs(low)) * 0.1;
  const double raw = (high - low) / about;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double factor = raw / power;
  const double step = (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10) * power;
  const double first = std::floor(low / step + 1e-9);
  for (double i = first; i <= first + 4.0 * about; ++i) {
    ticks.push_back(i * step);
    if (i * step >= high - 1e-9 * step) break;
  }
  return ticks;
}

void draw(Svg& svg, const Chart& chart, Point corner) {
  Painter(svg, chart, corner).paint();
}

std::string to_svg(const Chart& chart) {
  Svg svg(chart.width, chart.height, chart.title);
  draw(svg, chart, {0, 0});
  return svg.finish();
}

}  // namespace lerpp
