// SPDX-License-Identifier: Apache-2.0
#include "report/arrows.hpp"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace lerpp {
namespace {

constexpr double tip_length = 9;
constexpr double tip_width = 4;

/// The tip of an arrow that comes from that direction (a vector of length 1).
void draw_tip(Svg& svg, Point to, Point direction, std::string_view classes) {
  // Of the classes the colour alone: a tip is filled, not stroked.
  const std::size_t colour = classes.find(" c");
  const std::string look =
      colour == std::string_view::npos
          ? (classes.find("faint") == std::string_view::npos ? "mark" : "mark faint")
          : fmt::format("mark {}", classes.substr(colour + 1, 2));
  const Point back{to.x - tip_length * direction.x, to.y - tip_length * direction.y};
  const std::array<Point, 3> corners = {
      to,
      {back.x - tip_width * direction.y, back.y + tip_width * direction.x},
      {back.x + tip_width * direction.y, back.y - tip_width * direction.x}};
  svg.polygon(corners, {look});
}

Point direction_of(Point from, Point to) {
  const double length = std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
  return {(to.x - from.x) / length, (to.y - from.y) / length};
}

}  // namespace

void trim(Point& from, Point& to, double from_radius, double to_radius) {
  const Point direction = direction_of(from, to);
  from = {from.x + from_radius * direction.x, from.y + from_radius * direction.y};
  to = {to.x - to_radius * direction.x, to.y - to_radius * direction.y};
}

void draw_arrow(Svg& svg, Point from, Point to, std::string_view classes, double width,
                std::string_view note) {
  const Point direction = direction_of(from, to);
  const Point end{to.x - 0.8 * tip_length * direction.x, to.y - 0.8 * tip_length * direction.y};
  svg.line(from, end, {classes, width, 1, note});
  draw_tip(svg, to, direction, classes);
}

void draw_arc(Svg& svg, Point from, Point to, double rise, std::string_view classes) {
  // The top of such a curve is at three quarters of the height of its handles.
  const double handle = from.y - rise * 4 / 3;
  const double lean = (to.x - from.x) * 0.15;
  const Point last{to.x - lean, handle};
  const Point direction = direction_of(last, to);
  const Point end{to.x - 0.8 * tip_length * direction.x, to.y - 0.8 * tip_length * direction.y};
  svg.path(fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x, from.y,
                       from.x + lean, handle, last.x, last.y, end.x, end.y),
           {classes});
  draw_tip(svg, to, direction, classes);
}

}  // namespace lerpp
