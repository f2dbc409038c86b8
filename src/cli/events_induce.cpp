// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/events/induce.hpp>

#include "cli/events.hpp"

namespace lerpp::cli {
namespace {

struct InduceArguments {
  std::string data;
  std::string out;
  InduceOptions options;
};

/// The page, the figures, and each picture as a file of its own.
Result<void> write_report(const Induction& induction, const std::string& out) {
  LERP_TRY(folder, StagedFolder::create(out));
  LERP_CHECK(write_file(folder.path() / "report.html", to_html(induction)));
  LERP_CHECK(write_file(folder.path() / "equations.json", to_json(induction).dump(2) + "\n"));
  const EquationNames names{induction.shape, induction.names};
  for (std::size_t i = 0; i < induction.equations.size(); ++i) {
    LERP_CHECK(write_file(
        folder.path() / fmt::format("equation-{:02}.svg", i + 1),
        to_svg(induction.equations[i].equation, names, source_of(induction.equations[i])) + "\n"));
  }
  return folder.commit();
}

Result<void> run_induce(Console& console, const InduceArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(data, load_events(arguments.data, {}, console.observer()));
  say_notes(console, data);
  LERP_TRY(induction, induce(data, arguments.options, console.observer()));
  console.say(to_text(induction));
  if (!arguments.out.empty()) {
    LERP_CHECK(write_report(induction, arguments.out));
    console.say(fmt::format("report in {}", arguments.out));
  }
  return console.finish(to_json(induction));
}

}  // namespace

void add_event_induce(Program& program, CLI::App& events) {
  auto arguments = std::make_shared<InduceArguments>();
  CLI::App* verb =
      program.add(events, "induce", "Finds the logical equations that hold in event graphs",
                  "lerp events induce data/event-ied --out ied-equations",
                  [&program, arguments] { return run_induce(program.console(), *arguments); });
  verb->add_option("DATA", arguments->data, "a folder of event graphs, or one file")->required();
  verb->add_option("--out", arguments->out,
                   "a folder for report.html, equations.json and pictures");
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
