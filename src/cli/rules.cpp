// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/logic/rule_file.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

/// What both verbs have.
struct ReadArguments : RunArguments {
  std::string format = "text";
  std::string out;
};

struct RulesArguments : ReadArguments {
  std::string from;
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
Result<Shown> shown_as(const Run& run, const RuleReport& report, const std::string& format) {
  if (format == "text" || format == "json") {
    LERP_TRY(data, run.data());
    return Shown{to_text(report, *data)};
  }
  LERP_TRY(language, export_format_named(format == "lines" ? "text" : format));
  LERP_TRY(exported, run.export_rules(report.top(report.rules.size()), language));
  const std::size_t left_out = exported.left_out.size();
  return Shown{exported.text,
               left_out == 0 ? "" : fmt::format(", less {} rules that it cannot say", left_out),
               left_out};
}

Result<RuleReport> read_rules(const RulesArguments& arguments, const Run& run) {
  if (arguments.from == "model") return run.soft().rules(arguments.options);
  if (arguments.from.empty()) return run.rules(arguments.options);
  LERP_TRY(list, run.load_list());
  return run.rules(list, arguments.options);
}

Result<std::vector<Rule>> read_truth(const std::string& path, const Dataset& data) {
  LERP_TRY(bytes, read_file(path));
  return parse_rules(bytes.view(), {data.relations, data.entities}, path);
}

Result<void> run_rules(Console& console, const RulesArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open(console, arguments, arguments.options.threads));
  LERP_TRY(data, run.data());
  std::optional<std::vector<Rule>> truth;
  if (!arguments.against.empty()) {
    LERP_TRY(parsed, read_truth(arguments.against, *data));
    truth = std::move(parsed);
  }
  LERP_TRY(report, read_rules(arguments, run));
  LERP_TRY(shown, shown_as(run, report, arguments.format));
  Json json = to_json(report, *data);
  if (shown.left_out > 0) json["left_out"] = shown.left_out;
  if (truth) {
    LERP_TRY(recovery, compare(report, *truth, *data));
    if (arguments.format == "text") shown.text += "\n" + to_text(recovery);
    json["against"] = to_json(recovery, *data);
  }
  return show(console, arguments, std::move(shown), json);
}

Result<void> run_functions(Console& console, const FunctionsArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open(console, arguments, arguments.options.threads));
  LERP_TRY(read, run.functions(arguments.options));
  LERP_TRY(data, run.data());
  return show(console, arguments, {to_text(read, *data)}, to_json(read, *data));
}

void add_common(CLI::App& verb, ReadArguments& arguments, const std::vector<std::string>& formats) {
  add_run(verb, arguments);
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
                   "where to read them: the short list of rules, or the model that it was made "
                   "from; the list where there is one")
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
