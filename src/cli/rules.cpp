#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/logic/export.hpp>
#include <lerp/logic/rule_file.hpp>
#include <lerp/read/functions.hpp>
#include <lerp/read/rules.hpp>

#include "cli/opened.hpp"
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

/// What is shown, and what there is to say of it where it goes to a file.
struct Shown {
  std::string text;
  std::string note = {};
  std::size_t left_out = 0;  ///< rules that the language cannot say
};

/// Prints or writes the result in the format that was asked for; `shown` is that of every format
/// but JSON.
Result<void> show(Console& console, const ReadArguments& arguments, Shown shown, const Json& json) {
  std::string& text = shown.text;
  if (arguments.format == "json") text = json.dump(2, ' ', false, Json::error_handler_t::replace);
  if (!text.ends_with('\n')) text += '\n';
  if (arguments.out.empty()) {
    console.say(text);
  } else {
    LERP_CHECK(write_file(arguments.out, text));
    console.say(fmt::format("written to {}{}", arguments.out, shown.note));
  }
  return console.finish(json);
}

/// The report, or the rules in another engine's language.
Result<Shown> shown_as(const RuleReport& report, const Dataset& dataset,
                       const std::string& format) {
  if (format == "text" || format == "json") return Shown{to_text(report, dataset)};
  LERP_TRY(language, export_format_named(format == "lines" ? "text" : format));
  LERP_TRY(exported, export_rules(report.top(report.rules.size()), dataset, language));
  const std::size_t left_out = exported.left_out.size();
  return Shown{exported.text,
               left_out == 0 ? "" : fmt::format(", less {} rules that it cannot say", left_out),
               left_out};
}

Result<RuleReport> read_rules(const RulesArguments& arguments, const Opened& opened,
                              const Observer& observer) {
  if (arguments.from == "model")
    return rules(opened.run.model, opened.known, arguments.options, observer);
  const std::filesystem::path path = std::filesystem::path(arguments.run) / "rules.txt";
  if (!std::filesystem::exists(path)) {
    return fail("the run has no list of rules", path.string(),
                fmt::format("make one: lerp distill {}", arguments.run));
  }
  LERP_TRY(list, load_rules(path, opened.dataset()));
  return rules(list, opened.known, arguments.options, observer);
}

Result<void> run_rules(Console& console, const RulesArguments& arguments) {
  const Observer observer = console.observer();
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(opened, open(arguments.run, arguments.options.threads, observer));
  std::vector<Rule> truth;
  if (!arguments.against.empty()) {
    LERP_TRY(bytes, read_file(arguments.against));
    LERP_TRY(parsed,
             parse_rules(bytes.view(), {opened.dataset().relations, opened.dataset().entities},
                         arguments.against));
    truth = std::move(parsed);
  }
  LERP_TRY(report, read_rules(arguments, opened, observer));
  LERP_TRY(shown, shown_as(report, opened.dataset(), arguments.format));
  Json json = to_json(report, opened.dataset());
  if (shown.left_out > 0) json["left_out"] = shown.left_out;
  if (!arguments.against.empty()) {
    LERP_TRY(recovery, compare(report, truth, opened.dataset()));
    if (arguments.format == "text") shown.text += "\n" + to_text(recovery);
    json["against"] = to_json(recovery, opened.dataset());
  }
  return show(console, arguments, std::move(shown), json);
}

Result<void> run_functions(Console& console, const FunctionsArguments& arguments) {
  const Observer observer = console.observer();
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(opened, open(arguments.run, arguments.options.threads, observer));
  LERP_TRY(read, functions(opened.run.model, opened.known, arguments.options));
  return show(console, arguments, {to_text(read, opened.dataset())},
              to_json(read, opened.dataset()));
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
  std::vector<std::string> formats = export_format_names();
  formats.insert(formats.begin() + 1, "lines");
  add_common(*verb, *arguments, formats);
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
