// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

struct ReportArguments : RunArguments {
  std::string out;
  ReportOptions options;
};

Result<void> run_report(Console& console, const ReportArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open(console, arguments, arguments.options.threads));
  LERP_TRY(report, run.report(arguments.options));
  const std::string page = to_html(report, arguments.options);
  const std::filesystem::path path = arguments.file(arguments.out, "report.html");
  LERP_CHECK(write_file(path, page));
  console.say(
      fmt::format("report in {}, {} KiB", path.string(), thousands(page.size() / 1024 + 1)));
  Json json = to_json(report);
  json["page"] = path.string();
  return console.finish(json);
}

}  // namespace

void add_report(Program& program) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* verb =
      program.add(program.app(), "report", "One HTML file of all that a run has learned",
                  "lerp report family-run",
                  [&program, arguments] { return run_report(program.console(), *arguments); });
  add_run(*verb, *arguments);
  verb->add_option("--out", arguments->out, "the page; report.html of the run where left out")
      ->type_name("FILE");
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
