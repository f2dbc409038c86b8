// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/embed/embed.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

struct EvalArguments : RunArguments {
  std::string split = "test";
  std::vector<std::string> with;
  std::string embedding;
  unsigned threads = 0;
  std::string ranks;
  bool calibration = false;
  std::string svg;
  CalibrationOptions calibrated;
};

template <class Ranked>
Result<void> finish_eval(Console& console, const Result<Ranked>& ranked) {
  if (!ranked) return tl::unexpected<Error>(ranked.error());
  console.say(to_text(*ranked));
  return console.finish(to_json(*ranked));
}

/// The runs that were named besides.
Result<std::vector<Run>> open_others(Console& console, const EvalArguments& arguments) {
  std::vector<Run> others;
  for (const std::string& folder : arguments.with) {
    LERP_TRY(other, Run::open(folder, arguments.threads, console.observer()));
    others.push_back(arguments.rules_only ? other.rules_only() : other);
  }
  return others;
}

Result<void> run_eval(Console& console, const EvalArguments& arguments) {
  LERP_TRY(run, open(console, arguments, arguments.threads));
  RankingOptions ranking;
  ranking.split = arguments.split == "valid" ? Split::valid : Split::test;
  if (!arguments.embedding.empty()) {
    LERP_TRY(embedding, open_embedding(arguments.embedding));
    return finish_eval(console, run.evaluate_with(embedding, ranking));
  }
  if (!arguments.with.empty()) {
    LERP_TRY(others, open_others(console, arguments));
    return finish_eval(console, run.evaluate_with(others, ranking));
  }
  LERP_CHECK(say_lacking(console, run, "rank"));
  LERP_TRY(ranked, run.evaluate(ranking));
  std::string text = to_text(ranked);
  Json json = to_json(ranked);
  if (!arguments.ranks.empty()) {
    LERP_TRY(ranks, run.answer_ranks(ranking));
    LERP_CHECK(write_ranks(ranks, arguments.ranks));
  }
  if (arguments.calibration) {
    LERP_TRY(found, run.calibration(arguments.calibrated));
    text += "\n\n" + to_text(found);
    json["calibration"] = to_json(found);
    if (!arguments.svg.empty()) LERP_CHECK(write_file(arguments.svg, to_svg(found)));
  }
  console.say(text);
  return console.finish(json);
}

}  // namespace

void add_eval(Program& program) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* verb = program.add(program.app(), "eval", "Ranks the answers of a run's model",
                               "lerp eval family-run --split valid", [&program, arguments] {
                                 return run_eval(program.console(), *arguments);
                               });
  add_run(*verb, *arguments);
  verb->add_option("--split", arguments->split, "valid or test")
      ->capture_default_str()
      ->check(CLI::IsMember({"valid", "test"}));
  verb->add_option("--with", arguments->with,
                   "another run of the same data, whose scores are added; may be given often")
      ->type_name("RUN");
  verb->add_option("--embedding", arguments->embedding,
                   "a run of lerp embed of the same data, which is added to the rules")
      ->type_name("RUN")
      ->excludes("--with");
  verb->add_option("--ranks", arguments->ranks, "write score and rank of every answer, one a line")
      ->type_name("FILE")
      ->excludes("--with")
      ->excludes("--embedding");
  CLI::Option* const calibration =
      verb->add_flag("--calibration", arguments->calibration,
                     "how far probabilities can be trusted, against the test facts")
          ->excludes("--with")
          ->excludes("--embedding");
  verb->add_option("--svg", arguments->svg, "draw what was said against what was true")
      ->type_name("FILE")
      ->needs(calibration);
  add_flags(*verb, arguments->calibrated);
  add_rules_only(*verb, *arguments);
  add_soft(*verb, *arguments);
  add_threads(*verb, arguments->threads);
}

}  // namespace lerpp::cli
