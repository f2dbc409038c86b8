// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <span>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/export.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct ExportArguments {
  std::string rules;
  std::string data;
  std::string format;
  std::string out;
  std::string facts;
  LoadOptions load;
};

Result<void> run_export(Console& console, const ExportArguments& arguments) {
  LERP_TRY(format, export_format_named(arguments.format));
  const Observer observer = console.observer();
  LERP_TRY(dataset, load(arguments.data, arguments.load, observer));
  LERP_TRY(exported, export_rule_file(arguments.rules, dataset, format));
  if (!arguments.facts.empty()) {
    LERP_CHECK(export_facts(dataset, format, arguments.facts, observer));
  }
  if (arguments.out.empty()) {
    console.say(exported.text);
  } else {
    LERP_CHECK(write_file(arguments.out, exported.text));
    console.say(fmt::format("{} rules as {} in {}", thousands(exported.rules), arguments.format,
                            arguments.out));
  }
  std::vector<std::size_t> left_out;
  for (const std::size_t place : exported.left_out) left_out.push_back(place + 1);
  if (!left_out.empty() && !console.quiet) {
    const std::span<const std::size_t> first =
        std::span(left_out).first(std::min<std::size_t>(left_out.size(), 10));
    const std::string_view more = first.size() < left_out.size() ? ", …" : "";
    console.complain({fmt::format("{} of {} rules are left out", left_out.size(),
                                  exported.rules + left_out.size()),
                      fmt::format("rules {}{}", fmt::join(first, ", "), more),
                      fmt::format("{} cannot say them, choose another format", arguments.format)});
  }
  const Json result = {
      {"format", arguments.format}, {"rules", exported.rules}, {"left_out", left_out}};
  return console.finish(result);
}

}  // namespace

void add_export(Program& program) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* verb = program.add(
      program.app(), "export", "Writes rules in the language of another engine",
      "lerp export run/rules.txt data/family --format sql --out rules.sql --facts facts.sql",
      [&program, arguments] { return run_export(program.console(), *arguments); });
  verb->add_option("RULES", arguments->rules, "a file of rules, ours or AnyBURL's, one a line")
      ->required();
  add_data(*verb, arguments->data, arguments->load);
  verb->add_option("--format", arguments->format,
                   fmt::format("{}", fmt::join(export_format_names(), ", ")))
      ->required();
  verb->add_option("--out", arguments->out, "where to; standard output where left out");
  verb->add_option("--facts", arguments->facts,
                   "also write the known facts to this file, laid out as the rules expect");
}

}  // namespace lerpp::cli
