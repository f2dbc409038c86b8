// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/report/function_space.hpp>

#include "report/turning_script.hpp"

namespace lerpp {
namespace {

using Place = std::array<double, 3>;

constexpr double panel_width = 320;
constexpr double panel_height = 310;
constexpr double top = 52;
constexpr double margin = 12;
/// From where the cube of the space is seen, at first: turned about its upright axis, then tilted.
constexpr double yaw = -0.55;
constexpr double pitch = 0.35;
/// Entities in one of so many cells along each axis become one mark.
constexpr double cells = 48;

/// Brings the components into the cube from -1 to 1, with one scale for all: distances stay true.
class Cube {
 public:
  explicit Cube(const std::vector<Place>& points) {
    Place low = {1e300, 1e300, 1e300};
    Place high = {-1e300, -1e300, -1e300};
    for (const Place& point : points) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], point[k]);
        high[k] = std::max(high[k], point[k]);
      }
    }
    for (std::size_t k = 0; k < 3 && !points.empty(); ++k) {
      middle_[k] = (low[k] + high[k]) / 2;
      half_ = std::max(half_, 0.53 * (high[k] - low[k]));
    }
  }

  Place inside(const Place& point) const {
    Place result = {};
    for (std::size_t k = 0; k < 3; ++k) result[k] = (point[k] - middle_[k]) / half_;
    return result;
  }
  /// A plane of the space as one of the cube.
  std::array<double, 4> inside(const std::array<double, 4>& plane) const {
    std::array<double, 4> result = {0, 0, 0, plane[3]};
    for (std::size_t k = 0; k < 3; ++k) {
      result[k] = plane[k] * half_;
      result[3] += plane[k] * middle_[k];
    }
    return result;
  }

 private:
  Place middle_ = {};
  double half_ = 1e-6;
};

/// The edges of the cube.
std::vector<std::array<Place, 2>> cube_edges() {
  std::vector<std::array<Place, 2>> edges;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double a : {-1.0, 1.0}) {
      for (const double b : {-1.0, 1.0}) {
        std::array<Place, 2> edge = {};
        for (std::size_t end = 0; end < 2; ++end) {
          edge[end][k] = end == 0 ? -1 : 1;
          edge[end][(k + 1) % 3] = a;
          edge[end][(k + 2) % 3] = b;
        }
        edges.push_back(edge);
      }
    }
  }
  return edges;
}

/// Where a plane cuts the cube: the corners of a polygon, in turn. None where it does not.
std::vector<Place> cut(const std::array<double, 4>& plane) {
  const auto side = [&](const Place& at) {
    return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] + plane[3];
  };
  std::vector<Place> corners;
  Place centre = {};
  for (const auto& [from, to] : cube_edges()) {
    const double a = side(from), b = side(to);
    if ((a > 0) == (b > 0)) continue;
    Place at = {};
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = from[k] + (to[k] - from[k]) * a / (a - b);
      centre[k] += at[k];
    }
    corners.push_back(at);
  }
  if (corners.size() < 3) return {};
  for (double& value : centre) value /= static_cast<double>(corners.size());
  // By the angle about the centre, seen along the axis that the plane faces most.
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    if (std::abs(plane[k]) > std::abs(plane[axis])) axis = k;
  }
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::sort(corners.begin(), corners.end(), [&](const Place& a, const Place& b) {
    return std::atan2(a[v] - centre[v], a[u] - centre[u]) <
           std::atan2(b[v] - centre[v], b[u] - centre[u]);
  });
  return corners;
}

/// The picture, and of each of its shapes that turn where they are in the cube.
class Scene {
 public:
  Scene(const FunctionSpace& space, Svg& svg) : space_(space), svg_(svg), cube_(space.points) {}

  void panel(const FunctionSpace::Separation& role, Point corner, std::size_t colour) {
    centre_ = {corner.x + panel_width / 2, corner.y + top + (panel_height - top - margin) / 2};
    svg_.text({corner.x + margin, corner.y + 20},
              fit_text(role.role.name, 0.85 * (panel_width - 2 * margin), 14),
              {.size = 14, .bold = true, .note = role.text});
    const std::string figures =
        fmt::format("plane {:.1f} % right, majority {:.1f} %", 100 * role.accuracy,
                    100 * std::max(role.share, 1 - role.share));
    svg_.text({corner.x + margin, corner.y + 38}, figures, {.classes = "faint"});
    for (const auto& [from, to] : cube_edges()) {
      svg_.line(shown(from), shown(to), {"grid"});
      shapes_["lines"].push_back({centre(), from, to});
    }
    marks(role, false, "line faint");
    plane(role, colour);
    marks(role, true, fmt::format("mark {}", colour_class(colour)));
  }

  Json shapes() const {
    Json json = shapes_;
    json["scale"] = scale();
    json["yaw"] = yaw;
    json["pitch"] = pitch;
    return json;
  }

 private:
  /// So that no corner of the cube leaves the panel, however it is turned.
  static double scale() { return (panel_height - top - 2 * margin) / 2 / std::sqrt(3.0); }

  Json centre() const { return {centre_.x, centre_.y}; }

  /// The first component goes across, the second up, the third towards the reader.
  Point shown(const Place& at) const {
    const double across = at[0] * std::cos(yaw) + at[2] * std::sin(yaw);
    const double depth = at[2] * std::cos(yaw) - at[0] * std::sin(yaw);
    const double up = at[1] * std::cos(pitch) - depth * std::sin(pitch);
    return {centre_.x + scale() * across, centre_.y - scale() * up};
  }

  /// Entities that fall into one cell become one mark, larger the more there are.
  void marks(const FunctionSpace::Separation& role, bool holders, std::string_view classes) {
    std::map<std::array<long, 3>, std::size_t> spots;
    for (std::size_t i = 0; i < space_.points.size(); ++i) {
      if (role.holds[i] != holders) continue;
      const Place at = cube_.inside(space_.points[i]);
      ++spots[{std::lround(at[0] * cells / 2), std::lround(at[1] * cells / 2),
               std::lround(at[2] * cells / 2)}];
    }
    for (const auto& [spot, count] : spots) {
      const Place at = {static_cast<double>(spot[0]) * 2 / cells,
                        static_cast<double>(spot[1]) * 2 / cells,
                        static_cast<double>(spot[2]) * 2 / cells};
      const double radius = 1.6 + 0.7 * std::log2(static_cast<double>(count));
      svg_.circle(shown(at), std::min(radius, 8.0), {classes, holders ? 0.0 : 1.0, 0.75});
      shapes_["circles"].push_back({centre(), at});
    }
  }

  void plane(const FunctionSpace::Separation& role, std::size_t colour) {
    const std::vector<Place> corners = cut(cube_.inside(role.plane));
    if (corners.empty()) return;
    std::vector<Point> points;
    Json places = Json::array({centre()});
    for (const Place& corner : corners) {
      points.push_back(shown(corner));
      places.push_back(corner);
    }
    const std::string line =
        fmt::format("line {}{}", colour_class(colour), role.cuts ? "" : " dashed");
    svg_.polygon(points, {fmt::format("mark {}", colour_class(colour)), 0, 0.12});
    svg_.polygon(points, {line, 1.5, 1,
                          role.cuts ? "the separating plane, where it cuts this picture"
                                    : "the best plane in this picture: that of the whole space "
                                      "does not cut it"});
    shapes_["polygons"].push_back(places);
    shapes_["polygons"].push_back(places);
  }

  const FunctionSpace& space_;
  Svg& svg_;
  Cube cube_;
  Point centre_;
  Json shapes_ = {
      {"lines", Json::array()}, {"circles", Json::array()}, {"polygons", Json::array()}};
};

struct Painted {
  std::string svg;
  Json shapes;
};

Painted paint(const FunctionSpace& space) {
  constexpr double foot = 44;
  const std::size_t columns =
      std::min<std::size_t>(2, std::max<std::size_t>(1, space.roles.size()));
  const std::size_t rows = (space.roles.size() + columns - 1) / columns;
  const double width = panel_width * static_cast<double>(columns);
  const double height = panel_height * static_cast<double>(rows) + foot;
  std::string description = "Entities by the first three principal components of their functions.";
  for (const FunctionSpace::Separation& role : space.roles) {
    description +=
        fmt::format(" {}: a plane is right for {:.1f} %.", role.role.name, 100 * role.accuracy);
  }
  Svg svg(width, height, "The space of the functions", description);
  Scene scene(space, svg);
  for (std::size_t i = 0; i < space.roles.size(); ++i) {
    const std::size_t row = i / columns;
    const Point corner{panel_width * static_cast<double>(i % columns),
                       panel_height * static_cast<double>(row)};
    scene.panel(space.roles[i], corner, i);
  }
  const std::string axes =
      fmt::format("three components: {:.1f} %, {:.1f} %, {:.1f} % of the variance",
                  100 * space.variance[0], 100 * space.variance[1], 100 * space.variance[2]);
  svg.text({margin, height - 26}, fit_text(axes, width - 2 * margin, 11),
           {.size = 11, .classes = "faint"});
  svg.text({margin, height - 10},
           fit_text("filled: holds; rings: does not; larger: more", width - 2 * margin, 11),
           {.size = 11, .classes = "faint"});
  return {svg.finish(), scene.shapes()};
}

}  // namespace

std::string to_svg(const FunctionSpace& space) {
  return paint(space).svg;
}

std::string to_turning_picture(const FunctionSpace& space) {
  const Painted painted = paint(space);
  return fmt::format("<div class=\"turning\" tabindex=\"0\">{}</div>\n<script>{}({})</script>\n",
                     painted.svg, turning_script, painted.shapes.dump());
}

}  // namespace lerpp
