// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/run/learn.hpp>

#include "cli/finish_run.hpp"
#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct TrainArguments {
  std::string data;
  std::string out;
  OptionRequest options;
  std::string time;
  bool show_options = false;
  bool no_holdout = false;
  LoadOptions load;
};

/// The options as they are for the data that was named, or by themselves.
Result<std::string> options_help(Console& console, const CLI::App& verb,
                                 const TrainArguments& arguments) {
  OptionRequest request = arguments.options;
  // Help is asked for before the values are handed out.
  const auto given = [&](const char* name) { return verb.get_option(name)->results(); };
  if (!given("--preset").empty()) request.preset = given("--preset").front();
  if (!given("--config").empty()) request.config = given("--config").front();
  request.settings = given("--set");
  Dataset dataset;
  std::string title =
      "the values of the preset " + request.preset + "; name DATA to see those for it";
  if (!given("DATA").empty()) {
    LERP_TRY(loaded, load(given("DATA").front(), arguments.load, console.observer()));
    dataset = std::move(loaded);
    title = "the values in effect for " + dataset.name;
  }
  LERP_TRY(options, resolve(dataset, request));
  return fmt::format("\nOptions for --set and --config, with {}:\n{}", title,
                     options_to_text(*options));
}

Result<void> run_train(Program& program, TrainArguments arguments) {
  Console& console = program.console();
  Crew& crew = program.crew();
  if (!crew.alone() && !arguments.options.threads) arguments.options.threads = threads_of(crew);
  const Observer observer = console.observer();
  if (!arguments.time.empty()) {
    LERP_TRY(seconds, parse_duration(arguments.time));
    arguments.options.settings.push_back(fmt::format("train.seconds={}", seconds));
  }
  // Wrong options are found before any data is read; only what the data decides is not yet right.
  LERP_CHECK(resolve(Dataset{}, arguments.options));
  arguments.load.threads = arguments.options.threads.value_or(0);
  if (arguments.no_holdout) arguments.load.choices.holdout = 0;
  LERP_TRY(dataset, load(arguments.data, arguments.load, observer));
  LERP_TRY(options, resolve(dataset, arguments.options));
  console.say(headline(dataset));
  if (arguments.show_options) {
    console.say(options_to_text(*options));
    return console.finish(options_to_json(*options));
  }
  if (arguments.out.empty()) arguments.out = free_run_name(dataset.name).string();
  LERP_TRY(result, train_run(
                       dataset, arguments.data, options, arguments.out, observer,
                       [&](const std::string& line) { console.say(line); }, &crew));
  return finish_run(console, arguments.out, result);
}

}  // namespace

void add_train(Program& program) {
  auto arguments = std::make_shared<TrainArguments>();
  OptionRequest& request = arguments->options;
  CLI::App* verb =
      program.add(program.app(), "train", "Learns functions and rules, and leaves a run folder",
                  "lerp train data/family --out family-run --set rules.length=3",
                  [&program, arguments] { return run_train(program, *arguments); });
  // Rules are chosen by validation facts: data that comes without some lends them.
  arguments->load.choices.holdout = 0.1;
  verb->add_option("DATA", arguments->data, "a dataset folder or file")->required();
  verb->add_option("--out", arguments->out,
                   "the run folder to make; named after the data where left out");
  verb->add_option("--preset", request.preset, "a named set of options: paper, default or best")
      ->capture_default_str();
  verb->add_option("--config", request.config, "a file of options, as config.toml of a run")
      ->type_name("FILE");
  verb->add_option("--set", request.settings, "one option, name=value; may be given often");
  verb->add_option("--seed", request.seed, "the same seed and lanes give the same model");
  verb->add_option("--time", arguments->time,
                   "stop learning in time to rank and end within this: 90s, 10m, 2h30m");
  verb->add_option("--threads", request.threads,
                   "how many threads to use, at most one for each core; 0 is that many");
  verb->add_flag("--train-on-valid", request.on_valid,
                 "learn from the validation facts too, as some published runs did");
  verb->add_option("--holdout", arguments->load.choices.holdout,
                   "share of the facts held out for validation where the data has no splits")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  verb->add_flag("--no-holdout", arguments->no_holdout, "hold out nothing: learn from all facts");
  add_read_flags(*verb, arguments->load);
  verb->add_flag("--show-options", arguments->show_options,
                 "print the options in effect for this graph, and learn nothing");
  program.explain(verb, [&program, verb, arguments] {
    return options_help(program.console(), *verb, *arguments);
  });
  program.share(verb);
}

}  // namespace lerpp::cli
