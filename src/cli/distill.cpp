// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>

#include "base/clock.hpp"
#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

struct DistillArguments : RunArguments {
  std::string out;
  std::string split = "both";
  std::uint32_t rules = 100;
  unsigned threads = 0;
  std::vector<std::string> settings;
};

/// What serves the data best, and over it what was asked for.
Result<DistillOptions> options_of(const DistillArguments& arguments, DistillOptions options) {
  options.rules = arguments.rules;
  options.threads = arguments.threads;
  for (const std::string& setting : arguments.settings) {
    LERP_CHECK(set_option(options, setting));
  }
  LERP_CHECK(check_options(options));
  return options;
}

Result<void> run_distill(Console& console, const DistillArguments& arguments) {
  // Wrong options are found before any data is read.
  LERP_CHECK(options_of(arguments, {}));
  LERP_TRY(run, open(console, arguments, arguments.threads));
  LERP_TRY(usual, run.distill_options());
  LERP_TRY(options, options_of(arguments, usual));
  const Clock::time_point start = Clock::now();
  LERP_TRY(list, run.distill(options));
  const double seconds = seconds_since(start);
  const std::filesystem::path out = arguments.file(arguments.out, "rules.txt");
  LERP_CHECK(run.save_list(list, out));
  std::vector<Split> splits;
  if (arguments.split != "test") splits.push_back(Split::valid);
  if (arguments.split != "valid") splits.push_back(Split::test);
  LERP_TRY(report, run.fidelity(list, splits));
  report.seconds = seconds;
  console.say(to_text(report));
  console.say(fmt::format("distilled in {:.1f} s, rules in {}", seconds, out.string()));
  return console.finish(to_json(report));
}

}  // namespace

void add_distill(Program& program) {
  auto arguments = std::make_shared<DistillArguments>();
  CLI::App* verb = program.add(
      program.app(), "distill", "Turns a run's model into a short list of discrete rules",
      "lerp distill family-run --rules 100",
      [&program, arguments] { return run_distill(program.console(), *arguments); });
  add_run(*verb, *arguments);
  verb->add_option("--out", arguments->out, "the rule file; rules.txt of the run where left out");
  verb->add_option("--split", arguments->split, "what to compare both on: valid, test or both")
      ->capture_default_str()
      ->check(CLI::IsMember({"valid", "test", "both"}));
  verb->add_option("--rules", arguments->rules, "rules of a relation, both directions together")
      ->capture_default_str();
  verb->add_option("--set", arguments->settings, "one option, name=value; may be given often");
  add_threads(*verb, arguments->threads);
  std::string options = "Options for --set, where the graph does not decide:\n";
  DistillOptions defaults;
  DistillOptions::fields(defaults, [&](const Field& field, const auto& value) {
    options += fmt::format("  {:<12} {} [{}]\n", field.name, field.help, value);
  });
  verb->footer(options + "\nExample:\n  lerp distill family-run --rules 100");
}

}  // namespace lerpp::cli
