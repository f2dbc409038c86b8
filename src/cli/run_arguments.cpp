// SPDX-License-Identifier: Apache-2.0
#include "cli/run_arguments.hpp"

#include <fmt/format.h>

namespace lerpp::cli {

std::filesystem::path RunArguments::file(const std::string& given, const char* name) const {
  return given.empty() ? std::filesystem::path(run) / name : std::filesystem::path(given);
}

void add_run(CLI::App& verb, RunArguments& arguments) {
  verb.add_option("RUN", arguments.run, "a run folder")->required();
  verb.add_option("--data", arguments.data,
                  "another dataset with the same relations: an unseen graph");
}

void add_rules_only(CLI::App& verb, RunArguments& arguments) {
  verb.add_flag("--rules-only", arguments.rules_only, "leave the embedding out, if there is one");
}

void add_soft(CLI::App& verb, RunArguments& arguments) {
  verb.add_flag("--soft", arguments.soft,
                "ask the model as it was learned, not the list of rules that was made from it");
}

Result<Run> open(Console& console, const RunArguments& arguments, unsigned threads) {
  LERP_TRY(run, Run::open(arguments.run, threads, console.observer()));
  if (!arguments.data.empty()) run = run.on(std::filesystem::path(arguments.data));
  if (arguments.rules_only) return run.rules_only();
  return arguments.soft ? run.soft() : run;
}

Result<void> say_lacking(Console& console, const Run& run, const char* doing) {
  LERP_TRY(lacks, run.lacks_embedding());
  if (!lacks) return {};
  LERP_TRY(data, run.data());
  console.say(
      fmt::format("{}: these are not the entities that the embedding knows, so the rules {} alone",
                  data->name, doing));
  return {};
}

}  // namespace lerpp::cli
