// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lerp/base/svg.hpp>

namespace lerpp::test {

/// A text of a picture and what it covers, or a node.
struct PictureLabel {
  std::string text;
  Point at;
  Box box;
};

inline double number_of(const std::string& element, const char* name) {
  std::smatch found;
  const std::regex attribute(std::string(" ") + name + "=\"([-0-9.]+)\"");
  return std::regex_search(element, found, attribute) ? std::stod(found[1]) : 0;
}

/// "&lt;" and the like as the letters that a reader sees.
inline std::string unescaped(std::string text) {
  const std::pair<const char*, const char*> marks[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [mark, letter] : marks) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++at)
      text.replace(at, std::string(mark).size(), letter);
  }
  return text;
}

/// The texts of a picture that are not turned.
inline std::vector<PictureLabel> labels_of(const std::string& svg) {
  std::vector<PictureLabel> labels;
  const std::regex text("<text[^>]*>(<title>[^<]*</title>)?([^<]*)</text>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), text), end; at != end; ++at) {
    const std::string element = at->str();
    if (element.find("rotate(") != std::string::npos) continue;
    TextLook look;
    if (element.find("text-anchor=\"middle\"") != std::string::npos) look.anchor = Anchor::middle;
    if (element.find("text-anchor=\"end\"") != std::string::npos) look.anchor = Anchor::end;
    look.bold = element.find("font-weight=\"bold\"") != std::string::npos;
    const double size = number_of(element, "font-size");
    look.size = size > 0 ? size : 13;  // what equations say once, for all
    const Point point{number_of(element, "x"), number_of(element, "y")};
    const std::string shown = unescaped((*at)[2]);
    labels.push_back({shown, point, text_box(point, shown, look)});
  }
  return labels;
}

/// Circles and boxes that hold a text.
inline std::vector<PictureLabel> nodes_of(const std::string& svg) {
  std::vector<PictureLabel> nodes;
  const std::regex shape("<(circle|rect)[^>]*class=\"(paper|event|type|other)[^>]*>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), shape), end; at != end; ++at) {
    const std::string element = at->str();
    const double radius = number_of(element, "r");
    const double x = number_of(element, "cx"), y = number_of(element, "cy");
    Box box{x - radius, y - radius, x + radius, y + radius};
    if ((*at)[1] == "rect") {
      box.left = number_of(element, "x");
      box.top = number_of(element, "y");
      box.right = box.left + number_of(element, "width");
      box.bottom = box.top + number_of(element, "height");
    }
    nodes.push_back({"a node", {}, box});
  }
  return nodes;
}

/// The first two things that meet: two texts, or a text and a node that is not its own. Also a text
/// that leaves the picture. Empty where all is well.
inline std::string collision(const std::string& svg) {
  const std::vector<PictureLabel> labels = labels_of(svg);
  const std::string head = svg.substr(0, svg.find('>'));
  const Box frame{-1, -1, number_of(head, "width") + 1, number_of(head, "height") + 1};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Box& box = labels[i].box;
    if (box.left < frame.left || box.top < frame.top || box.right > frame.right ||
        box.bottom > frame.bottom)
      return "'" + labels[i].text + "' leaves the picture";
    for (std::size_t k = 0; k < i; ++k) {
      if (box.meets(labels[k].box))
        return "'" + labels[i].text + "' meets '" + labels[k].text + "'";
    }
    for (const PictureLabel& node : nodes_of(svg)) {
      // The text of a node stands at its middle.
      const bool own = std::abs((node.box.left + node.box.right) / 2 - labels[i].at.x) < 0.6 &&
                       node.box.top < labels[i].at.y && labels[i].at.y < node.box.bottom;
      if (!own && box.meets(node.box)) return "'" + labels[i].text + "' meets a node";
    }
  }
  return "";
}

}  // namespace lerpp::test
