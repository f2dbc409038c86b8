// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/paper/paper.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct PaperArguments {
  std::string root;
  std::string out;
  PaperOptions options;
};

Result<void> run_paper(Console& console, const PaperArguments& arguments) {
  Result<Paper> paper =
      make_paper(arguments.root, arguments.out, arguments.options, console.observer(),
                 [&](const std::string& line) { console.say(line); });
  if (!paper) {
    if (paper.error().kind == ErrorKind::interrupted)
      paper.error().remedy = "the same command goes on from here";
    return forward_error(paper);
  }
  console.say(to_text(*paper));
  console.say(fmt::format("written: {0}/paper.html, {0}/paper.md, {0}/paper.json", arguments.out));
  return console.finish(to_json(*paper));
}

}  // namespace

void add_paper(Program& program) {
  auto arguments = std::make_shared<PaperArguments>();
  CLI::App* verb = program.add(
      program.app(), "paper", "Every table and figure of the paper, ours beside the published",
      "lerp paper data --out paper --only table2 --seeds 3",
      [&program, arguments] { return run_paper(program.console(), *arguments); });
  verb->add_option("ROOT", arguments->root, "the folder that holds the datasets")->required();
  verb->add_option("--out", arguments->out,
                   "the folder for the results; goes on with one that is there")
      ->required();
  add_flags(*verb, arguments->options);
  std::string parts = "Parts for --only:";
  for (const auto& [item, title] : paper_items())
    parts += fmt::format("\n  {:<10} {}", item, title);
  verb->footer(parts + "\n\nExample:\n  lerp paper data --out paper --only table2 --seeds 3");
}

}  // namespace lerpp::cli
