// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lerp/base/svg.hpp>

/// Line charts: series over a common axis, with their spread where they have one.
namespace lerpp {

struct ChartPoint {
  double x = 0;
  double y = 0;
  /// The least and the most that was seen, where there was more than one look.
  std::optional<double> low = {};
  std::optional<double> high = {};
};

struct Series {
  std::string name;
  std::vector<ChartPoint> points;  ///< x rises
  bool dashed = false;
  std::optional<std::size_t> colour = {};  ///< where it is not that of its place in the list
};

struct Tick {
  double at = 0;
  std::string label;
};

struct Axis {
  std::string title;
  bool logarithmic = false;        ///< values must be positive
  bool whole = false;              ///< ticks at whole numbers alone
  std::string unit = {};           ///< after the number of a tick
  std::vector<Tick> ticks = {};    ///< where they are not left to the chart
  std::optional<double> low = {};  ///< where the values shall not decide
  std::optional<double> high = {};
};

struct Chart {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  double width = 640;
  double height = 360;
};

/// Round numbers that cover a range: powers of ten on a logarithmic axis, else steps of 1, 2 or 5.
std::vector<double> nice_ticks(double low, double high, bool logarithmic, int about = 5);

std::string to_svg(const Chart& chart);
/// Paints a chart with its upper left corner there; it takes width and height as it says.
void draw(Svg& svg, const Chart& chart, Point corner);

}  // namespace lerpp
