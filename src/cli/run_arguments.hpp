// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/run/run.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {

/// The run that a verb asks, and in what way.
struct RunArguments {
  std::string run;
  std::string data;
  bool rules_only = false;
  bool soft = false;

  std::filesystem::path file(const std::string& given, const char* name) const;
};

/// RUN and --data.
void add_run(CLI::App& verb, RunArguments& arguments);
void add_rules_only(CLI::App& verb, RunArguments& arguments);
/// --soft, of verbs that ask the list of the run where it has one.
void add_soft(CLI::App& verb, RunArguments& arguments);

Result<Run> open(Console& console, const RunArguments& arguments, unsigned threads);
/// Says so where the embedding is of no use, and the rules do something alone.
Result<void> say_lacking(Console& console, const Run& run, const char* doing);

}  // namespace lerpp::cli
