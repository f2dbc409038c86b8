// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <lerp/base/svg.hpp>

namespace lerpp {

/// A straight arrow; `from` and `to` are where line and tip end.
void draw_arrow(Svg& svg, Point from, Point to, std::string_view classes, double width = 0,
                std::string_view note = {});
/// An arrow that bends up over what lies between its ends; its top is `rise` above them.
void draw_arc(Svg& svg, Point from, Point to, double rise, std::string_view classes);
/// The points at the rims of two circles on the line between their centres.
void trim(Point& from, Point& to, double from_radius, double to_radius);

}  // namespace lerpp
