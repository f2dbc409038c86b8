#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/report/report.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct ReportArguments {
  std::string run;
  std::string out;
  ReportOptions options;
};

Result<void> run_report(Console& console, const ReportArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(report, make_report(arguments.run, arguments.options, console.observer()));
  const std::string page = to_html(report, arguments.options);
  const std::filesystem::path path = arguments.out.empty()
                                         ? std::filesystem::path(arguments.run) / "report.html"
                                         : std::filesystem::path(arguments.out);
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
  verb->add_option("RUN", arguments->run, "a run folder")->required();
  verb->add_option("--out", arguments->out, "the page; report.html of the run where left out")
      ->type_name("FILE");
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
