// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/svg.hpp>

#include "events/equation_words.hpp"

namespace lerpp {
namespace {

using Kind = Formula::Kind;

constexpr int box_width = 190;
constexpr int box_height = 34;
constexpr int column_width = 330;
constexpr int row_height = 62;
constexpr int margin = 12;
constexpr int note_height = 20;

/// Colours on dark paper, for viewers that know of it.
constexpr const char* dark_paper =
    "<style>@media screen and (prefers-color-scheme:dark){.lerp-equation text{fill:#e8eaed}"
    ".lerp-equation rect,.lerp-equation line{stroke:#a6adb8}.lerp-equation .tip{fill:#a6adb8}"
    ".lerp-equation .ground{fill:#16181c;stroke:none}.lerp-equation .event{fill:#1e3a5f}"
    ".lerp-equation .type{fill:#4a3f12}.lerp-equation .other{fill:#1b4330}}</style>";

/// Draws a formula as a tree: a variable is a box, a link an arrow with its name. What is denied is
/// dashed; of alternatives each is marked with "or".
class Painter {
 public:
  explicit Painter(const EquationNames& names) : words_(names) {}

  std::string paint(const Equation& equation, std::string_view source) {
    box(words_.noun(equation.type) + " x", 0, 0, "event", "#dbeafe", false);
    facts(equation.body, 0, 0, false, "");
    const int width = (deepest_ + 1) * column_width - (column_width - box_width) + 2 * margin;
    const int below = (next_row_ + 1) * row_height + 2 * margin;
    const int height = below + (source.empty() ? 0 : note_height);
    if (!source.empty()) {
      boxes_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#475569\">{}</text>", margin,
                            below + note_height / 2, escape_markup(source));
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lerp-equation\" viewBox=\"0 0 {0} {1}\" "
        "width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">"
        "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" "
        "class=\"tip\" fill=\"#475569\"/></marker></defs>{2}"
        "<rect width=\"{0}\" height=\"{1}\" class=\"ground\" fill=\"#ffffff\"/>{3}</svg>",
        width, height, dark_paper, lines_ + boxes_);
  }

 private:
  static int left(int column) { return margin + column * column_width; }
  static int middle(int row) { return margin + row * row_height + box_height / 2; }

  void box(const std::string& label, int column, int row, const char* kind, const char* fill,
           bool dashed) {
    deepest_ = std::max(deepest_, column);
    boxes_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\" class=\"{}\" fill=\"{}\" "
        "stroke=\"#475569\"{}/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" "
        "fill=\"#1f2328\">{}</text>",
        left(column), middle(row) - box_height / 2, box_width, box_height, kind, fill,
        dashed ? " stroke-dasharray=\"5 4\"" : "", left(column) + box_width / 2, middle(row) + 5,
        escape_markup(fit_text(label, box_width - 12, 13)));
  }

  /// A place for something new that hangs on a box.
  int take_row(int row) {
    if (!used_) {
      used_ = true;
      return row;
    }
    return ++next_row_;
  }

  /// What is said of the box at this place.
  void facts(const Formula& formula, int column, int row, bool negated, const std::string& note) {
    switch (formula.kind()) {
      case Kind::negation:
        facts(formula.inner(), column, row, !negated, note);
        break;
      case Kind::conjunction:
      case Kind::disjunction:
        for (const Formula& part : formula.parts()) {
          facts(part, column, row, negated,
                formula.is(Kind::disjunction) != negated ? "or " : note);
        }
        break;
      case Kind::exists:
        link(formula, column, row, negated, note);
        break;
      case Kind::constant: {
        const int own = take_row(row);
        line(words_.step(formula.op()), column, row, own, negated, note);
        box(words_.noun(formula.entity()), column + 1, own, "type", "#fef9c3", negated);
        break;
      }
      case Kind::truth:
      case Kind::falsity:
        break;
    }
  }

  void link(const Formula& formula, int column, int row, bool negated, const std::string& note) {
    const int own = take_row(row);
    line(words_.step(formula.op()), column, row, own, negated, note);
    // A type that is said of the other one stands in its box.
    std::string label = "something";
    const Formula& inner = formula.inner();
    const bool typed = inner.is(Kind::constant);
    if (typed) label = words_.noun(inner.entity());
    if (inner.is(Kind::conjunction)) {
      for (const Formula& part : inner.parts()) {
        if (part.is(Kind::constant)) label = words_.noun(part.entity());
      }
    }
    box(label, column + 1, own, "other", "#dcfce7", negated);
    if (typed) return;
    used_ = false;
    if (!inner.is(Kind::conjunction)) {
      facts(inner, column + 1, own, negated, "");
      used_ = true;
      return;
    }
    for (const Formula& part : inner.parts()) {
      if (!part.is(Kind::constant)) facts(part, column + 1, own, negated, "");
    }
    used_ = true;
  }

  void line(const Step& step, int column, int row, int own, bool negated, const std::string& note) {
    const int from = left(column) + box_width;
    const int to = left(column + 1);
    lines_ +=
        fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#475569\" {}{}/>", from,
                    middle(row), to, middle(own),
                    step.backwards ? "marker-start=\"url(#arrow)\"" : "marker-end=\"url(#arrow)\"",
                    negated ? " stroke-dasharray=\"5 4\"" : "");
    lines_ +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#334155\">{}</text>",
                    (from + to) / 2, (middle(row) + middle(own)) / 2 - 6,
                    escape_markup(fit_text(note + (negated ? "no " : "") + step.name,
                                           column_width - box_width - 10, 13)));
  }

  EquationWords words_;
  std::string boxes_;
  std::string lines_;
  int deepest_ = 0;
  int next_row_ = 0;
  bool used_ = false;
};

}  // namespace

std::string to_svg(const Equation& equation, const EquationNames& names, std::string_view source) {
  return Painter(names).paint(equation, source);
}

}  // namespace lerpp
