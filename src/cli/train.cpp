#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/options_json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/embed/embed.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/train/run.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct TrainArguments {
  std::string data;
  std::string out;
  OptionRequest options;
  std::string time;
  bool show_options = false;
};

Result<void> finish_run(Console& console, const std::string& folder, const RunResult& result) {
  console.say(fmt::format("run {}: eval and resume take this name", folder));
  Json json = to_json(result);
  json["run"] = folder;
  return console.finish(json);
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
  const LoadOptions load_options{.threads = arguments.options.threads.value_or(0)};
  LERP_TRY(dataset, load(arguments.data, load_options, observer));
  LERP_TRY(options, resolve(dataset, arguments.options));
  console.say(headline(dataset));
  if (arguments.show_options) {
    console.say(options_to_text(*options));
    return console.finish(options_to_json(*options));
  }
  if (arguments.out.empty()) arguments.out = free_run_name(dataset.name).string();
  LERP_TRY(result, start_run(
                       dataset, arguments.data, options, arguments.out, observer,
                       [&](const std::string& line) { console.say(line); }, &crew));
  return finish_run(console, arguments.out, result);
}

Result<void> run_resume(Program& program, const std::string& folder) {
  Console& console = program.console();
  LERP_TRY(result, resume_run(
                       folder, console.observer(),
                       [&](const std::string& line) { console.say(line); }, &program.crew()));
  return finish_run(console, folder, result);
}

struct EvalArguments {
  std::string run;
  std::string data;
  std::string split = "test";
  bool rules_only = false;
  std::vector<std::string> with;
  std::string embedding;
  unsigned threads = 0;
};

RankingOptions ranking_of(const EvalArguments& arguments) {
  RankingOptions ranking;
  ranking.split = arguments.split == "valid" ? Split::valid : Split::test;
  ranking.threads = arguments.threads;
  return ranking;
}

/// The run and those that were named besides, as one.
Result<void> eval_together(Console& console, const EvalArguments& arguments, const Run& run,
                           const Dataset& dataset, bool known_valid) {
  std::vector<Model> models = {run.model};
  for (const std::string& folder : arguments.with) {
    LERP_TRY(other, open_run(folder));
    models.push_back(std::move(other.model));
  }
  if (arguments.rules_only)
    std::transform(models.begin(), models.end(), models.begin(), without_embedding);
  LERP_TRY(ranked, evaluate_together(models, dataset, ranking_of(arguments), known_valid,
                                     console.observer()));
  console.say(to_text(ranked));
  return console.finish(to_json(ranked));
}

Result<void> run_eval(Console& console, const EvalArguments& arguments) {
  const Observer observer = console.observer();
  LERP_TRY(run, open_run(arguments.run));
  const bool own = arguments.data.empty();
  LERP_TRY(dataset, own ? load_data(run.config, arguments.threads, observer)
                        : load(arguments.data, {.threads = arguments.threads}, observer));
  const RankingOptions ranking = ranking_of(arguments);
  const bool known_valid = own && run.config.options.train.on_valid;
  if (!arguments.embedding.empty()) {
    LERP_TRY(embedding, open_embedding(arguments.embedding));
    LERP_TRY(ranked, evaluate_with_embedding(without_embedding(run.model), embedding, dataset,
                                             ranking, known_valid, observer));
    console.say(to_text(ranked));
    return console.finish(to_json(ranked));
  }
  if (!arguments.with.empty()) return eval_together(console, arguments, run, dataset, known_valid);
  if (arguments.rules_only) {
    run.model = without_embedding(run.model);
  } else if (!knows_entities(run.model, dataset)) {
    console.say(fmt::format(
        "{}: these are not the entities that the embedding knows, so the rules rank alone",
        dataset.name));
  }
  LERP_TRY(ranked, evaluate_parts(run.model, dataset, ranking, known_valid, observer));
  console.say(to_text(ranked));
  return console.finish(to_json(ranked));
}

}  // namespace

void add_train(Program& program) {
  auto arguments = std::make_shared<TrainArguments>();
  OptionRequest& request = arguments->options;
  CLI::App* verb =
      program.add(program.app(), "train", "Learns functions and rules, and leaves a run folder",
                  "lerp train data/family --out family-run --set rules.length=3",
                  [&program, arguments] { return run_train(program, *arguments); });
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
  verb->add_flag("--show-options", arguments->show_options,
                 "print the options in effect for this graph, and learn nothing");
  verb->footer("Options for --set and --config, with the values of the preset paper:\n" +
               options_to_text(TrainOptions{}) +
               "\nExample:\n  lerp train data/family --out family-run --set rules.length=3");
  program.share(verb);
}

void add_resume(Program& program) {
  auto run = std::make_shared<std::string>();
  CLI::App* verb =
      program.add(program.app(), "resume", "Goes on with a run after any interruption",
                  "lerp resume family-run", [&program, run] { return run_resume(program, *run); });
  verb->add_option("RUN", *run, "a run folder")->required();
  program.share(verb);
}

void add_eval(Program& program) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* verb = program.add(program.app(), "eval", "Ranks the answers of a run's model",
                               "lerp eval family-run --split valid", [&program, arguments] {
                                 return run_eval(program.console(), *arguments);
                               });
  verb->add_option("RUN", arguments->run, "a run folder")->required();
  verb->add_option("--data", arguments->data,
                   "another dataset with the same relations: an unseen graph");
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
  verb->add_flag("--rules-only", arguments->rules_only, "leave the embedding out, if there is one");
  add_threads(*verb, arguments->threads);
}

}  // namespace lerpp::cli
