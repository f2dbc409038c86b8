// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Pictures as SVG that needs nothing else: it looks right alone as well as inside a page, and in
/// viewers that know no style sheets. Those that do show it on dark paper where the reader wants
/// so.
namespace lerpp {

/// For text and attributes of XML and HTML. What XML cannot hold becomes U+FFFD.
std::string escape_markup(std::string_view text);

/// How wide text is in the sans-serif fonts of browsers, about.
double text_width(std::string_view text, double size = 12);
/// The text, or as much of its beginning as fits, and dots.
std::string fit_text(std::string_view text, double width, double size = 12);

struct Point {
  double x = 0;
  double y = 0;
};

/// How many colours there are to tell things apart, with any kind of eyes.
inline constexpr std::size_t picture_colours = 6;
/// The class of a colour, counted round; it colours what has the class "line", "mark" or "label"
/// too.
std::string_view colour_class(std::size_t index);

/// How a shape looks: names of classes of the style sheet, and what differs from mark to mark.
struct Look {
  std::string_view
      classes;       ///< "line", "mark", "grid", "paper", "ground", "faint", "dashed", "c0"…
  double width = 0;  ///< of the stroke; 0 leaves it to the classes
  double opacity = 1;
  std::string_view note = {};  ///< shown where the pointer rests
};

enum class Anchor : unsigned char { start, middle, end };
struct TextLook {
  Anchor anchor = Anchor::start;
  double size = 12;
  bool bold = false;
  double turn = 0;                ///< degrees, clockwise
  std::string_view classes = {};  ///< "faint", "halo", a colour
  std::string_view note = {};
};

/// A part of the picture, upright.
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};
/// What a text covers, about, where it is not turned.
Box text_box(Point at, std::string_view text, const TextLook& look = {});

/// Collects shapes, in the order in which they are painted.
class Svg {
 public:
  /// The title is what a screen reader says; the description may say more.
  Svg(double width, double height, std::string_view title, std::string_view description = {});

  double width() const { return width_; }
  double height() const { return height_; }

  void line(Point from, Point to, const Look& look);
  void polyline(std::span<const Point> points, const Look& look);
  void polygon(std::span<const Point> points, const Look& look);
  void circle(Point centre, double radius, const Look& look);
  void rectangle(Point corner, double width, double height, const Look& look, double rounding = 0);
  /// In the language of SVG's paths.
  void path(std::string_view steps, const Look& look);
  /// The point is at the foot of the text.
  void text(Point at, std::string_view text, const TextLook& look = {});

  std::string finish() const;

 private:
  void shape(std::string_view name, std::string_view attributes, const Look& look);

  double width_;
  double height_;
  std::string head_;
  std::string body_;
};

}  // namespace lerpp
