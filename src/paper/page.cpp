// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lerp/paper/paper.hpp>

#include "paper/map.hpp"
#include "report/html.hpp"
#include "report/style.hpp"

namespace lerpp {
namespace {

/// A cell of a table in Markdown: a bar would end it.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

void add_table(const PaperPart::Table& table, std::string& text) {
  text += fmt::format("\n{}\n\n", table.caption);
  const auto add = [&](const std::vector<std::string>& cells) {
    for (const std::string& one : cells) text += "| " + cell(one) + " ";
    text += "|\n";
  };
  add(table.heads);
  add(std::vector<std::string>(table.heads.size(), "---"));
  for (const auto& row : table.rows) add(row);
}

std::string introduction(const Paper& paper) {
  return fmt::format(
      "{} of the paper, made again{}. MRR is the mean over both directions, "
      "filtered, with realistic ties unless it is said.",
      paper.not_asked.empty() ? "Every table and figure" : "Tables and figures",
      paper.options.quick ? " with small models and one seed, for a look: no figure here is a "
                            "result"
                          : fmt::format(", {} seeds", paper.options.seeds));
}

/// What a reader would miss.
std::vector<std::string> missing(const Paper& paper) {
  std::vector<std::string> sentences;
  sentences.reserve(paper.left_out.size() + 1);
  for (const std::string& one : paper.left_out) sentences.push_back("Left out: " + one + ".");
  if (!paper.not_asked.empty())
    sentences.push_back(fmt::format("Not made here: {}.", fmt::join(paper.not_asked, "; ")));
  return sentences;
}

}  // namespace

Json to_json(const Paper& paper) {
  Json rows = Json::array();
  for (const PaperPart& part : paper.parts) {
    for (const Json& row : part.rows) rows.push_back(row);
  }
  return rows;
}

std::string to_text(const Paper& paper) {
  std::string text;
  for (const PaperPart& part : paper.parts)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", part.item, part.verdict);
  for (const std::string& one : paper.left_out) text += fmt::format("\nleft out: {}", one);
  return text;
}

std::string to_markdown(const Paper& paper) {
  std::string text = fmt::format("# The paper, made again\n\n{}\n", introduction(paper));
  for (const std::string& one : missing(paper)) text += fmt::format("\n{}\n", one);
  for (const PaperPart& part : paper.parts) {
    text += fmt::format("\n## {}\n\n**{}**\n\n    {}\n", part.title, part.verdict, part.command);
    for (const PaperPart::Table& table : part.tables) add_table(table, text);
    for (const std::string& note : part.notes) text += fmt::format("\n{}\n", note);
    for (const PaperPart::Picture& picture : part.pictures)
      text += fmt::format("\n![{}]({}.svg)\n", picture.caption, picture.name);
  }
  text += "\n## Where everything is\n";
  add_table(map_of_paper(), text);
  add_table(left_out_of_paper(), text);
  return text;
}

std::string to_html(const Paper& paper) {
  Html html;
  html.raw("<!DOCTYPE html>\n");
  html.open("html", R"(lang="en")");
  html.open("head");
  html.raw(
      "<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  html.element("title", "The paper, made again");
  html.open("style");
  html.raw(report_style);
  html.close();
  html.close();
  html.open("body");
  html.open("header");
  html.element("h1", "The paper, made again");
  html.element("p", introduction(paper));
  for (const std::string& one : missing(paper)) html.element("p", one);
  html.open("nav");
  html.open("ul");
  for (const PaperPart& part : paper.parts) {
    html.open("li");
    html.element("a", part.item, fmt::format("href=\"#{}\"", part.item));
    html.close();
  }
  html.close();
  html.close();
  html.close();
  html.open("main");
  for (const PaperPart& part : paper.parts) {
    html.element("h2", part.title, fmt::format("id=\"{}\"", part.item));
    html.open("p");
    html.element("strong", part.verdict);
    html.close();
    html.element("pre", part.command);
    for (const PaperPart::Table& table : part.tables)
      html.table({table.caption, table.heads, table.rows});
    for (const std::string& note : part.notes) html.element("p", note, "class=\"faint\"");
    for (const PaperPart::Picture& picture : part.pictures)
      html.figure(picture.svg, picture.caption);
  }
  html.element("h2", "Where everything is", "id=\"map\"");
  for (const PaperPart::Table& table : {map_of_paper(), left_out_of_paper()})
    html.table({table.caption, table.heads, table.rows});
  html.close();
  html.close();
  html.close();
  return html.take();
}

}  // namespace lerpp
