#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/distill/distill.hpp>

#include "base/clock.hpp"
#include "cli/opened.hpp"
#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct DistillArguments {
  std::string run;
  std::string out;
  std::string split = "both";
  std::uint32_t rules = 100;
  unsigned threads = 0;
  std::vector<std::string> settings;
};

Result<DistillOptions> options_of(const DistillArguments& arguments, const Dataset& dataset) {
  DistillOptions options = distill_options(dataset);
  options.rules = arguments.rules;
  options.threads = arguments.threads;
  for (const std::string& setting : arguments.settings) {
    LERP_CHECK(set_option(options, setting));
  }
  LERP_CHECK(check_options(options));
  return options;
}

Result<void> run_distill(Console& console, const DistillArguments& arguments) {
  const Observer observer = console.observer();
  // Wrong options are found before any data is read.
  LERP_CHECK(options_of(arguments, Dataset{}));
  LERP_TRY(opened, open(arguments.run, arguments.threads, observer));
  const auto& [run, known] = opened;
  const Dataset& dataset = known.dataset();
  LERP_TRY(options, options_of(arguments, dataset));
  const Clock::time_point start = Clock::now();
  LERP_TRY(list, distill(run.model, known, options, observer));
  const double seconds = seconds_since(start);
  const std::filesystem::path out = arguments.out.empty()
                                        ? std::filesystem::path(arguments.run) / "rules.txt"
                                        : std::filesystem::path(arguments.out);
  LERP_CHECK(save_rules(list, dataset, out));
  std::vector<Split> splits;
  if (arguments.split != "test") splits.push_back(Split::valid);
  if (arguments.split != "valid") splits.push_back(Split::test);
  LERP_TRY(report, fidelity(run.model, list, known, splits, options.threads, observer));
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
  verb->add_option("RUN", arguments->run, "a run folder")->required();
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
