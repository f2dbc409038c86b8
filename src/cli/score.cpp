// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <lerp/base/json.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

struct ScoreArguments : RunArguments {
  std::string file;
  unsigned threads = 0;
};

Result<void> run_score(Console& console, const ScoreArguments& arguments) {
  LERP_TRY(run, open(console, arguments, arguments.threads));
  LERP_CHECK(say_lacking(console, run, "answer"));
  LERP_TRY(data, run.data());
  LERP_TRY(facts, read_labelled(arguments.file, *data));
  LERP_TRY(scored, run.score(std::move(facts)));
  console.say(to_text(scored, *data));
  return console.finish(to_json(scored, *data));
}

}  // namespace

void add_score(Program& program) {
  auto arguments = std::make_shared<ScoreArguments>();
  CLI::App* verb = program.add(
      program.app(), "score", "Says how likely given facts are", "lerp score family-run facts.tsv",
      [&program, arguments] { return run_score(program.console(), *arguments); });
  add_run(*verb, *arguments);
  verb->add_option("FILE", arguments->file,
                   "lines of subject, relation, object and perhaps a label, separated by tabs")
      ->required();
  add_rules_only(*verb, *arguments);
  add_soft(*verb, *arguments);
  add_threads(*verb, arguments->threads);
}

}  // namespace lerpp::cli
