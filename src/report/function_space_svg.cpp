#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <lerp/report/function_space.hpp>

namespace lerpp {
namespace {

constexpr double panel_width = 320;
constexpr double panel_height = 300;
constexpr double top = 52;
constexpr double margin = 12;

struct Range {
  double low = 1e300;
  double high = -1e300;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// With some room on either side.
  Range roomy() const {
    const double room = std::max(1e-6, 0.06 * (high - low));
    return {low - room, high + room};
  }
};

/// One role's panel: all entities, those of the role filled, and the plane between.
class Panel {
 public:
  Panel(Svg& svg, const FunctionSpace& space, Point corner, Range x, Range y)
      : svg_(svg), space_(space), corner_(corner), x_(x), y_(y) {}

  void paint(const FunctionSpace::Separation& role, std::size_t colour) {
    svg_.text({corner_.x + margin, corner_.y + 20},
              fit_text(role.role.name, 0.85 * (panel_width - 2 * margin), 14),
              {.size = 14, .bold = true, .note = role.text});
    const std::string figures =
        fmt::format("plane {:.1f} % right, majority {:.1f} %", 100 * role.accuracy,
                    100 * std::max(role.share, 1 - role.share));
    svg_.text({corner_.x + margin, corner_.y + 38}, figures, {.classes = "faint"});
    svg_.rectangle({corner_.x + margin, corner_.y + top}, width(), height(), {"grid"}, 4);
    marks(role, false, "line faint");
    const std::string classes = fmt::format("mark {}", colour_class(colour));
    marks(role, true, classes);
    line(role);
  }

 private:
  static double width() { return panel_width - 2 * margin; }
  static double height() { return panel_height - top - margin; }
  Point place(Point point) const {
    return {corner_.x + margin + (point.x - x_.low) / (x_.high - x_.low) * width(),
            corner_.y + top + (y_.high - point.y) / (y_.high - y_.low) * height()};
  }

  /// Entities that fall on one spot become one mark, larger the more there are.
  void marks(const FunctionSpace::Separation& role, bool holders, std::string_view classes) {
    std::map<std::pair<long, long>, std::size_t> spots;
    for (std::size_t i = 0; i < space_.points.size(); ++i) {
      if (role.holds[i] != holders) continue;
      const Point at = place(space_.points[i]);
      ++spots[{std::lround(at.x / 3), std::lround(at.y / 3)}];
    }
    for (const auto& [spot, count] : spots) {
      const double radius = 1.6 + 0.7 * std::log2(static_cast<double>(count));
      svg_.circle({static_cast<double>(spot.first) * 3, static_cast<double>(spot.second) * 3},
                  std::min(radius, 8.0), {classes, holders ? 0.0 : 1.0, 0.75});
    }
  }

  /// a x + b y + c = 0, where it crosses the panel.
  void line(const FunctionSpace::Separation& role) {
    std::vector<Point> ends;
    const auto keep = [&](Point point) {
      const double slack = 1e-9;
      if (point.x < x_.low - slack || point.x > x_.high + slack) return;
      if (point.y < y_.low - slack || point.y > y_.high + slack) return;
      ends.push_back(point);
    };
    for (const double x : {x_.low, x_.high}) {
      if (std::abs(role.b) > 1e-12) keep({x, -(role.a * x + role.c) / role.b});
    }
    for (const double y : {y_.low, y_.high}) {
      if (std::abs(role.a) > 1e-12) keep({-(role.b * y + role.c) / role.a, y});
    }
    if (ends.size() < 2) return;
    svg_.line(place(ends[0]),
              place(ends[1].x == ends[0].x && ends[1].y == ends[0].y ? ends.back() : ends[1]),
              {role.cuts ? "line" : "line dashed", 1.5, 1,
               role.cuts ? "the separating plane, where it cuts this picture"
                         : "the best line in this picture: the plane does not cut it"});
  }

  Svg& svg_;
  const FunctionSpace& space_;
  Point corner_;
  Range x_;
  Range y_;
};

}  // namespace

std::string to_svg(const FunctionSpace& space) {
  constexpr double foot = 44;
  const std::size_t columns =
      std::min<std::size_t>(2, std::max<std::size_t>(1, space.roles.size()));
  const std::size_t rows = (space.roles.size() + columns - 1) / columns;
  const double width = panel_width * static_cast<double>(columns);
  const double height = panel_height * static_cast<double>(rows) + foot;
  std::string description = "Entities by the first two principal components of their functions.";
  for (const FunctionSpace::Separation& role : space.roles) {
    description +=
        fmt::format(" {}: a plane is right for {:.1f} %.", role.role.name, 100 * role.accuracy);
  }
  Svg svg(width, height, "The space of the functions", description);
  Range x, y;
  for (const Point& point : space.points) {
    x.add(point.x);
    y.add(point.y);
  }
  for (std::size_t i = 0; i < space.roles.size(); ++i) {
    const std::size_t column = i % columns, row = i / columns;
    const Point corner{panel_width * static_cast<double>(column),
                       panel_height * static_cast<double>(row)};
    Panel(svg, space, corner, x.roomy(), y.roomy()).paint(space.roles[i], i);
  }
  const std::string axes =
      fmt::format("across: first component, {:.1f} % of the variance; up: second, {:.1f} %",
                  100 * space.first, 100 * space.second);
  svg.text({margin, height - 26}, axes, {.size = 11, .classes = "faint"});
  svg.text({margin, height - 10},
           "filled: holds; rings: does not; larger: more entities on one spot",
           {.size = 11, .classes = "faint"});
  return svg.finish();
}

}  // namespace lerpp
