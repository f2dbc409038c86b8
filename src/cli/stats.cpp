// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include <lerp/base/json.hpp>
#include <lerp/kg/stats.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct StatsArguments {
  std::string data;
  std::string with;
  LoadOptions load;
};

/// GraIL's inductive datasets come in pairs: rules learned on X are asked about on X_ind.
std::string inductive_partner(const std::string& data) {
  std::filesystem::path path(data);
  if (path.filename().empty()) path = path.parent_path();
  path += "_ind";
  std::error_code code;
  return std::filesystem::is_directory(path, code) ? path.string() : "";
}

Result<void> run_stats(Console& console, const StatsArguments& arguments) {
  LERP_TRY(dataset, load(arguments.data, arguments.load, console.observer()));
  LERP_TRY(stats, statistics(dataset, arguments.load.threads, console.observer()));
  console.say(to_text(stats));
  Json result = to_json(stats);
  const std::string partner =
      arguments.with.empty() ? inductive_partner(arguments.data) : arguments.with;
  if (!partner.empty()) {
    LERP_TRY(asked, load(partner, arguments.load, console.observer()));
    const Transfer relation = transfer(dataset, asked);
    console.say("\n" + to_text(relation));
    result["transfer"] = to_json(relation);
  }
  return console.finish(result);
}

}  // namespace

void add_stats(Program& program) {
  auto arguments = std::make_shared<StatsArguments>();
  CLI::App* verb =
      program.add(program.app(), "stats", "Counts, degrees, splits, and the defects worth knowing",
                  "lerp stats data/family",
                  [&program, arguments] { return run_stats(program.console(), *arguments); });
  add_data(*verb, arguments->data, arguments->load);
  verb->add_option(
      "--with", arguments->with,
      "another dataset, to be asked about after learning on this one: what the two share");
}

}  // namespace lerpp::cli
