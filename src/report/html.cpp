// SPDX-License-Identifier: Apache-2.0
#include "report/html.hpp"

#include <cassert>
#include <iterator>

#include <fmt/format.h>

#include <lerp/base/svg.hpp>

namespace lerpp {

void Html::open(std::string_view tag, std::string_view attributes) {
  fmt::format_to(std::back_inserter(out_), "<{}{}{}>", tag, attributes.empty() ? "" : " ",
                 attributes);
  open_.emplace_back(tag);
}

void Html::close() {
  assert(!open_.empty());
  fmt::format_to(std::back_inserter(out_), "</{}>\n", open_.back());
  open_.pop_back();
}

void Html::text(std::string_view text) {
  out_ += escape_markup(text);
}

void Html::element(std::string_view tag, std::string_view content, std::string_view attributes) {
  open(tag, attributes);
  text(content);
  close();
}

void Html::open_scroll(std::string_view label) {
  open("div", fmt::format(R"(class="scroll" tabindex="0" role="region" aria-label="{}")",
                          escape_markup(label)));
}

void Html::table(const Table& table) {
  open_scroll(table.caption);
  open("table");
  element("caption", table.caption);
  open("thead");
  open("tr");
  for (const std::string& head : table.heads) element("th", head, R"(scope="col")");
  close();
  close();
  open("tbody");
  for (const std::vector<std::string>& row : table.rows) {
    open("tr");
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0) {
        element("th", row[i], R"(scope="row")");
      } else {
        element("td", row[i]);
      }
    }
    close();
  }
  close();
  close();
  close();
}

void Html::figure(std::string_view svg, std::string_view caption) {
  open("figure");
  open_scroll(caption);
  raw(svg);
  close();
  element("figcaption", caption);
  close();
}

}  // namespace lerpp
