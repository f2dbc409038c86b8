// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

/// What the verbs that look through a whole graph have.
template <class Options>
struct CurateArguments : RunArguments {
  std::string out;
  unsigned threads = 0;
  Options options;
};

template <class Options>
Result<void> run_curate(Console& console, const CurateArguments<Options>& arguments,
                        Result<CuratedFacts> (Run::*ask)(const Options&) const) {
  LERP_CHECK(check_options(arguments.options));
  if (!arguments.out.empty()) LERP_CHECK(check_table_name(arguments.out));
  LERP_TRY(run, open(console, arguments, arguments.threads));
  LERP_CHECK(say_lacking(console, run, "answer"));
  LERP_TRY(found, (run.*ask)(arguments.options));
  LERP_TRY(data, run.data());
  if (arguments.out.empty()) {
    console.say(to_text(found, *data));
  } else {
    LERP_CHECK(write_table(found, *data, arguments.out));
    console.say(fmt::format("{} facts written to {}", found.facts.size(), arguments.out));
  }
  return console.finish(to_json(found, *data));
}

template <class Options>
void add_curate(CLI::App& verb, CurateArguments<Options>& arguments) {
  add_run(verb, arguments);
  add_rules_only(verb, arguments);
  add_soft(verb, arguments);
  add_threads(verb, arguments.threads);
  verb.add_option("--out", arguments.out, "write a table to this file: .csv, .tsv or .jsonl")
      ->type_name("FILE");
  add_flags(verb, arguments.options);
}

}  // namespace

void add_complete(Program& program) {
  auto arguments = std::make_shared<CurateArguments<CompleteOptions>>();
  add_curate(*program.add(program.app(), "complete",
                          "Lists the most likely missing facts of the whole graph",
                          "lerp complete family-run --top 1000 --out missing.csv",
                          [&program, arguments] {
                            return run_curate(program.console(), *arguments, &Run::complete);
                          }),
             *arguments);
}

void add_doubt(Program& program) {
  auto arguments = std::make_shared<CurateArguments<DoubtOptions>>();
  add_curate(
      *program.add(
          program.app(), "doubt", "Lists known facts that the rest of the graph makes unlikely",
          "lerp doubt family-run --relation mother --top 20",
          [&program, arguments] { return run_curate(program.console(), *arguments, &Run::doubt); }),
      *arguments);
}

}  // namespace lerpp::cli
