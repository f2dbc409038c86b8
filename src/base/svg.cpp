// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <lerp/base/svg.hpp>

namespace lerpp {
namespace {

/// A character of UTF-8 in front of the text, and how many bytes it takes; 0xFFFD where the bytes
/// are none, or one that XML forbids.
struct Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;
};

bool fits_xml(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF;
}

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t bytes = lead < 0x80   ? 1
                            : lead < 0xC2 ? 0
                            : lead < 0xE0 ? 2
                            : lead < 0xF0 ? 3
                                          : 4;
  if (bytes == 0 || lead > 0xF4 || bytes > text.size()) return {};
  char32_t code = bytes == 1 ? lead : lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes]) return {};
  return {fits_xml(code) ? code : 0xFFFD, bytes};
}

/// In units of the font's size, as DejaVu Sans has it about; Helvetica and Arial are narrower.
double character_width(char32_t code) {
  if (code >= 0x0300 && code < 0x0370) return 0;  // combining
  if (code >= 0x1100 && code < 0xFF61 && (code < 0x2000 || code >= 0x2E80)) return 1;
  if (code == U'…') return 1;
  if (code >= 0x0370 && code < 0x1100) return 0.82;  // Greek, Cyrillic and their neighbours
  if (code >= 0x80) return 0.68;
  using Class = std::pair<std::string_view, double>;
  constexpr std::array<Class, 4> classes = {
      {{"ijl.,:;'|!()[]I ft/-", 0.38}, {"mwMW@%", 0.98}, {"#&+<=>^~", 0.84}, {"DGHNOQU", 0.78}}};
  const auto letter = static_cast<char>(code);
  for (const auto& [letters, width] : classes) {
    if (letters.find(letter) != std::string_view::npos) return width;
  }
  return letter >= 'A' && letter <= 'Z' ? 0.7 : 0.63;
}

/// Of bold letters, as against others.
constexpr double bold_width = 1.1;

/// A class of colour, on light paper and on dark.
struct Ink {
  std::string_view name;
  std::string_view light;
  std::string_view dark;
};

constexpr Ink plain_ink = {"", "#1f2328", "#e8eaed"};
constexpr Ink paper = {"ground", "#ffffff", "#16181c"};
// Okabe and Ito's colours, which eyes of every kind tell apart, a little darker for light paper and
// lighter for dark paper.
constexpr std::array<Ink, picture_colours + 1> inks = {{{"c0", "#0072b2", "#56b4e9"},
                                                        {"c1", "#c44e00", "#ff9a5c"},
                                                        {"c2", "#00795a", "#35cfa2"},
                                                        {"c3", "#a8467f", "#eaa0cb"},
                                                        {"c4", "#946500", "#f2b632"},
                                                        {"c5", "#3f6fb5", "#9bb8f0"},
                                                        {"faint", "#57606a", "#a6adb8"}}};

bool has_class(std::string_view classes, std::string_view name) {
  for (std::size_t at = classes.find(name); at != std::string_view::npos;
       at = classes.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || classes[at - 1] == ' ') && (end == classes.size() || classes[end] == ' '))
      return true;
  }
  return false;
}

std::string_view ink_of(std::string_view classes) {
  for (const Ink& ink : inks) {
    if (has_class(classes, ink.name)) return ink.light;
  }
  return plain_ink.light;
}

/// What classes look like, as attributes: many viewers know no variables, and some no style sheet.
std::string look_attributes(std::string_view classes, double width) {
  const std::string_view ink = ink_of(classes);
  if (has_class(classes, "ground")) return fmt::format(" fill=\"{}\"", paper.light);
  if (has_class(classes, "mark")) return fmt::format(" fill=\"{}\"", ink);
  const bool grid = has_class(classes, "grid"), sheet = has_class(classes, "paper");
  const double usual = grid ? 1 : sheet ? 1.5 : 2;
  std::string text = fmt::format(" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.4g}\"",
                                 sheet ? paper.light : "none", ink, width > 0 ? width : usual);
  if (grid) text += " stroke-opacity=\"0.18\"";
  if (has_class(classes, "line")) text += " stroke-linejoin=\"round\"";
  if (has_class(classes, "dashed")) text += " stroke-dasharray=\"6 4\"";
  return text;
}

/// Dark paper, for viewers that know of it: outweighs the attributes.
std::string style_sheet() {
  std::string text = fmt::format(
      "<style>@media screen and (prefers-color-scheme:dark){{"
      ".lerp-picture{{color:{}}}"
      ".lerp-picture text,.lerp-picture .mark{{fill:currentColor}}"
      ".lerp-picture .line,.lerp-picture .grid,.lerp-picture .paper{{stroke:currentColor}}"
      ".lerp-picture .ground,.lerp-picture .paper{{fill:{}}}",
      plain_ink.dark, paper.dark);
  for (const Ink& ink : inks)
    text += fmt::format(".lerp-picture .{}{{color:{}}}", ink.name, ink.dark);
  return text + "}</style>\n";
}

std::string_view name_of(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      break;
  }
  return "end";
}

std::string points_text(std::span<const Point> points) {
  std::string text = "points=\"";
  for (const Point& point : points)
    fmt::format_to(std::back_inserter(text), "{:.1f},{:.1f} ", point.x, point.y);
  return text + "\"";
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.code == '&') {
      escaped += "&amp;";
    } else if (next.code == '<') {
      escaped += "&lt;";
    } else if (next.code == '>') {
      escaped += "&gt;";
    } else if (next.code == '"') {
      escaped += "&quot;";
    } else if (next.code == '\'') {
      escaped += "&#39;";
    } else if (next.code == 0xFFFD) {
      escaped += "\xEF\xBF\xBD";
    } else {
      escaped += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return escaped;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    width += character_width(next.code);
    text.remove_prefix(next.bytes);
  }
  return width * size;
}

std::string fit_text(std::string_view text, double width, double size) {
  if (text_width(text, size) <= width) return std::string(text);
  double used = size;  // of the dots
  std::size_t kept = 0;
  while (kept < text.size()) {
    const Character next = first_character(text.substr(kept));
    used += size * character_width(next.code);
    if (used > width) break;
    kept += next.bytes;
  }
  return std::string(text.substr(0, kept)) + "…";
}

std::string_view colour_class(std::size_t index) {
  constexpr std::array<std::string_view, picture_colours> names = {"c0", "c1", "c2",
                                                                   "c3", "c4", "c5"};
  return names[index % names.size()];
}

Svg::Svg(double width, double height, std::string_view title, std::string_view description)
    : width_(width),
      height_(height),
      head_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lerp-picture\" "
                        "role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
                        "width=\"{:.0f}\" height=\"{:.0f}\" font-family=\"system-ui,'Helvetica "
                        "Neue',Arial,'DejaVu Sans',sans-serif\">\n",
                        escape_markup(description.empty() ? title : description), width, height,
                        width, height)) {
  head_ += fmt::format("<title>{}</title>\n", escape_markup(title));
}

void Svg::shape(std::string_view name, std::string_view attributes, const Look& look) {
  const auto out = std::back_inserter(body_);
  fmt::format_to(out, "<{} {}", name, attributes);
  if (!look.classes.empty()) fmt::format_to(out, " class=\"{}\"", look.classes);
  body_ += look_attributes(look.classes, look.width);
  if (look.opacity < 1) fmt::format_to(out, " opacity=\"{:.2f}\"", look.opacity);
  if (look.note.empty()) {
    body_ += "/>\n";
  } else {
    fmt::format_to(out, "><title>{}</title></{}>\n", escape_markup(look.note), name);
  }
}

void Svg::line(Point from, Point to, const Look& look) {
  shape("line",
        fmt::format("x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"", from.x, from.y, to.x,
                    to.y),
        look);
}

void Svg::polyline(std::span<const Point> points, const Look& look) {
  shape("polyline", points_text(points), look);
}

void Svg::polygon(std::span<const Point> points, const Look& look) {
  shape("polygon", points_text(points), look);
}

void Svg::circle(Point centre, double radius, const Look& look) {
  shape("circle",
        fmt::format("cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", centre.x, centre.y, radius), look);
}

void Svg::rectangle(Point corner, double width, double height, const Look& look, double rounding) {
  shape("rect",
        fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.0f}\"",
                    corner.x, corner.y, width, height, rounding),
        look);
}

void Svg::path(std::string_view steps, const Look& look) {
  shape("path", fmt::format("d=\"{}\"", steps), look);
}

Box text_box(Point at, std::string_view text, const TextLook& look) {
  const double width = text_width(text, look.size) * (look.bold ? bold_width : 1);
  const double left = look.anchor == Anchor::start    ? 0
                      : look.anchor == Anchor::middle ? -width / 2
                                                      : -width;
  return {at.x + left, at.y - 0.78 * look.size, at.x + left + width, at.y + 0.24 * look.size};
}

void Svg::text(Point at, std::string_view text, const TextLook& look) {
  const auto out = std::back_inserter(body_);
  if (has_class(look.classes, "halo") && look.turn == 0) {
    // Paper below the letters. Widths are those of a wide font: a little less will do.
    const Box box = text_box(at, text, look);
    const double spare = 0.05 * (box.right - box.left);
    const double left = box.left + (look.anchor == Anchor::start ? 0 : spare) - 1;
    const double right = box.right - (look.anchor == Anchor::end ? 0 : spare) + 1;
    rectangle({left, box.top}, right - left, box.bottom - box.top, {"ground", 0, 0.85}, 2);
  }
  fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\"", at.x,
                 at.y, look.size, name_of(look.anchor));
  fmt::format_to(out, " fill=\"{}\"", ink_of(look.classes));
  if (look.bold) body_ += " font-weight=\"bold\"";
  if (!look.classes.empty()) fmt::format_to(out, " class=\"{}\"", look.classes);
  if (look.turn != 0)
    fmt::format_to(out, " transform=\"rotate({:g} {:.1f} {:.1f})\"", look.turn, at.x, at.y);
  body_ += ">";
  if (!look.note.empty()) fmt::format_to(out, "<title>{}</title>", escape_markup(look.note));
  body_ += escape_markup(text) + "</text>\n";
}

std::string Svg::finish() const {
  return fmt::format(
      "{}{}<rect width=\"{:.0f}\" height=\"{:.0f}\" class=\"ground\" fill=\"{}\"/>\n{}</svg>\n",
      head_, style_sheet(), width_, height_, paper.light, body_);
}

}  // namespace lerpp
