#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/explain/functions.hpp>
#include <lerp/explain/rules.hpp>
#include <lerp/train/run.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

/// What both verbs have.
struct ReadArguments {
  std::string run;
  std::string format = "text";
  std::string out;
};

struct RulesArguments : ReadArguments {
  std::string from = "model";
  std::string against;
  RulesOptions options;
};

struct FunctionsArguments : ReadArguments {
  FunctionsOptions options;
};

/// A run with its data, which must be those that it was learned from.
struct Opened {
  Run run;
  Dataset dataset;
  bool on_valid = false;
};

Result<Opened> open(const std::string& folder, unsigned threads, const Observer& observer) {
  LERP_TRY(run, open_run(folder));
  LoadOptions load_options;
  load_options.threads = threads;
  LERP_TRY(dataset, load(run.config.data, load_options, observer));
  const bool on_valid = run.config.options.train.on_valid;
  return Opened{std::move(run), std::move(dataset), on_valid};
}

/// Prints or writes the result in the format that was asked for.
Result<void> show(Console& console, const ReadArguments& arguments, const std::string& text,
                  const Json& json) {
  const std::string shown =
      arguments.format == "json" ? json.dump(2, ' ', false, Json::error_handler_t::replace) : text;
  if (arguments.out.empty()) {
    console.say(shown);
  } else {
    LERP_CHECK(write_file(arguments.out, shown + "\n"));
    console.say(fmt::format("written to {}", arguments.out));
  }
  return console.finish(json);
}

Result<RuleReport> read_rules(const RulesArguments& arguments, const Opened& opened,
                              const Observer& observer) {
  if (arguments.from == "model")
    return rules(opened.run.model, opened.dataset, arguments.options, opened.on_valid, observer);
  const std::filesystem::path path = std::filesystem::path(arguments.run) / "rules.txt";
  if (!std::filesystem::exists(path)) {
    return fail("the run has no list of rules", path.string(),
                fmt::format("make one: lerp distill {}", arguments.run));
  }
  LERP_TRY(list, load_rules(path, opened.dataset));
  return rules(list, opened.dataset, arguments.options, opened.on_valid, observer);
}

Result<void> run_rules(Console& console, const RulesArguments& arguments) {
  const Observer observer = console.observer();
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(opened, open(arguments.run, arguments.options.threads, observer));
  std::vector<Rule> truth;
  if (!arguments.against.empty()) {
    LERP_TRY(loaded, load_true_rules(arguments.against, opened.dataset));
    truth = loaded;
  }
  LERP_TRY(report, read_rules(arguments, opened, observer));
  std::string text = to_text(report, opened.dataset);
  Json json = to_json(report, opened.dataset);
  if (!arguments.against.empty()) {
    LERP_TRY(recovery, compare(report, truth, opened.dataset));
    text += "\n" + to_text(recovery);
    json["against"] = to_json(recovery, opened.dataset);
  }
  return show(console, arguments, text, json);
}

Result<void> run_functions(Console& console, const FunctionsArguments& arguments) {
  const Observer observer = console.observer();
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(opened, open(arguments.run, arguments.options.threads, observer));
  LERP_TRY(read, functions(opened.run.model, opened.dataset, arguments.options, opened.on_valid));
  return show(console, arguments, to_text(read, opened.dataset), to_json(read, opened.dataset));
}

void add_common(CLI::App& verb, ReadArguments& arguments, const std::vector<std::string>& formats) {
  verb.add_option("RUN", arguments.run, "a run folder")->required();
  verb.add_option("--format", arguments.format,
                  fmt::format("how to write them: {}", fmt::join(formats, ", ")))
      ->capture_default_str()
      ->check(CLI::IsMember(formats));
  verb.add_option("--out", arguments.out, "a file to write to instead of standard output");
}

}  // namespace

void add_rules(Program& program) {
  auto arguments = std::make_shared<RulesArguments>();
  CLI::App* verb =
      program.add(program.app(), "rules", "Shows the rules of a run, the strongest first",
                  "lerp rules family-run --relation aunt --top 10",
                  [&program, arguments] { return run_rules(program.console(), *arguments); });
  add_common(*verb, *arguments, {"text", "json"});
  verb->add_option("--from", arguments->from,
                   "where to read them: the model, or the list that lerp distill has made")
      ->capture_default_str()
      ->check(CLI::IsMember({"model", "list"}));
  verb->add_option("--against", arguments->against,
                   "a file of true rules: how many of the rules are true, and of those how many "
                   "are here");
  add_flags(*verb, arguments->options);
}

void add_functions(Program& program) {
  auto arguments = std::make_shared<FunctionsArguments>();
  CLI::App* verb =
      program.add(program.app(), "functions", "Shows the logical functions of a run as formulas",
                  "lerp functions family-run --top 10",
                  [&program, arguments] { return run_functions(program.console(), *arguments); });
  add_common(*verb, *arguments, {"text", "json"});
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
