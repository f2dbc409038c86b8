// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/bench/events.hpp>
#include <lerp/bench/explain.hpp>
#include <lerp/bench/fewshot.hpp>
#include <lerp/bench/load.hpp>
#include <lerp/bench/quality.hpp>
#include <lerp/bench/readable.hpp>
#include <lerp/bench/scale.hpp>
#include <lerp/bench/train.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/server/load.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

Result<void> finish_bench(Console& console, const Result<BenchReport>& report) {
  if (!report) return tl::unexpected<Error>(report.error());
  console.say(to_text(*report));
  return console.finish(to_json(*report));
}

struct TrainBenchArguments {
  std::string data;
  std::string preset = "paper";
  std::vector<std::string> settings;
  std::vector<unsigned> threads;
};

Result<void> run_train_bench(Console& console, const TrainBenchArguments& arguments) {
  const Observer observer = console.observer();
  LERP_TRY(dataset, arguments.data.empty() ? Result<Dataset>(generate_family({}).dataset)
                                           : load(arguments.data, {}, observer));
  LERP_TRY(options, preset(arguments.preset, dataset));
  for (const std::string& setting : arguments.settings) LERP_CHECK(set_option(options, setting));
  // One number is how many to use; several are to be compared.
  const bool compares = arguments.threads.size() > 1;
  if (arguments.threads.size() == 1) options.train.threads = arguments.threads.front();
  return finish_bench(
      console,
      bench_train(dataset, options,
                  compares ? std::span(arguments.threads) : std::span<const unsigned>(), observer));
}

void add_load_bench(Program& program, CLI::App& group) {
  auto options = std::make_shared<LoadBenchOptions>();
  CLI::App* verb =
      program.add(group, "load", "How fast facts are read, and the memory they take",
                  "lerp bench load --json load.json", [&program, options]() -> Result<void> {
                    LERP_CHECK(check_options(*options));
                    Console& console = program.console();
                    return finish_bench(console, bench_load(*options, console.observer()));
                  });
  add_flags(*verb, *options);
}

void add_train_bench(Program& program, CLI::App& group) {
  auto arguments = std::make_shared<TrainBenchArguments>();
  CLI::App* verb =
      program.add(group, "train", "How fast the engine learns and ranks, kernel by kernel",
                  "lerp bench train data/wn18rr",
                  [&program, arguments] { return run_train_bench(program.console(), *arguments); });
  verb->add_option("DATA", arguments->data, "a dataset; the built-in family graph where left out");
  verb->add_option("--preset", arguments->preset, "paper, default or best")->capture_default_str();
  verb->add_option("--set", arguments->settings, "one option, name=value; may be given often");
  verb->add_option("--threads", arguments->threads,
                   "how many threads to use; several numbers, as 1,2,4, are compared")
      ->delimiter(',');
}

void add_scale_bench(Program& program, CLI::App& group) {
  auto options = std::make_shared<ScaleBenchOptions>();
  auto picture = std::make_shared<std::string>();
  CLI::App* verb =
      program.add(group, "scale", "How time and memory grow with the facts, or the relations",
                  "lerp bench scale --facts 1e7 --svg scale.svg",
                  [&program, options, picture]() -> Result<void> {
                    LERP_CHECK(check_options(*options));
                    Console& console = program.console();
                    LERP_TRY(bench, bench_scale(*options, console.observer()));
                    if (!picture->empty()) LERP_CHECK(write_file(*picture, to_svg(bench)));
                    return finish_bench(console, bench.report);
                  });
  verb->add_option("--svg", *picture, "write the picture on logarithmic axes to this file")
      ->type_name("FILE");
  add_flags(*verb, *options);
}

void add_serve_bench(Program& program, CLI::App& group) {
  struct Arguments : RunArguments {
    ServeBenchOptions options;
  };
  auto given = std::make_shared<Arguments>();
  CLI::App* verb = program.add(
      group, "serve", "How many questions a server answers, and how long each waits",
      "lerp bench serve family-run --ask explain", [&program, given]() -> Result<void> {
        LERP_CHECK(check_options(given->options));
        Console& console = program.console();
        LERP_TRY(run, open(console, *given, given->options.threads));
        return finish_bench(console,
                            bench_serve(run.watched_by({}), given->options, console.observer()));
      });
  add_run(*verb, *given);
  add_flags(*verb, given->options);
}

void add_paper_bench(Program& program, CLI::App& group) {
  auto options = std::make_shared<PaperBenchOptions>();
  auto root = std::make_shared<std::string>();
  CLI::App* verb = program.add(group, "paper", "The table of results with the paper's settings",
                               "lerp bench paper data --datasets family,wn18rr",
                               [&program, options, root]() -> Result<void> {
                                 LERP_CHECK(check_options(*options));
                                 Console& console = program.console();
                                 LERP_TRY(bench, bench_paper(*root, *options, console.observer()));
                                 console.say(to_text(bench));
                                 return console.finish(to_json(bench.report));
                               });
  verb->add_option("ROOT", *root, "the folder that holds the datasets")->required();
  add_flags(*verb, *options);
}

void add_quality_bench(Program& program, CLI::App& group) {
  struct Arguments {
    QualityOptions options;
    std::vector<std::string> datasets;
    std::vector<std::string> settings;
  };
  auto given = std::make_shared<Arguments>();
  CLI::App* verb = program.add(
      group, "quality", "What a preset reaches on datasets, over several seeds",
      "lerp bench quality data/wn18rr --preset best --seeds 3",
      [&program, given]() -> Result<void> {
        LERP_CHECK(check_options(given->options));
        Console& console = program.console();
        LERP_TRY(bench, bench_quality({given->datasets.begin(), given->datasets.end()},
                                      given->options, given->settings, console.observer()));
        console.say(to_text(bench));
        return console.finish(to_json(bench));
      });
  verb->add_option("DATASET", given->datasets,
                   "dataset folders or files; one with NAME_ind beside it is ranked on that graph; "
                   "without any, the built-in family");
  verb->add_option("--set", given->settings, "one option of training, name=value");
  add_flags(*verb, given->options);
}

void add_readable_bench(Program& program, CLI::App& group) {
  struct Arguments {
    ReadableOptions options;
    std::vector<std::string> datasets;
    std::vector<std::string> settings;
    std::vector<std::uint32_t> sizes = {5, 20, 100, 500};
    std::string picture;
  };
  auto given = std::make_shared<Arguments>();
  CLI::App* verb =
      program.add(group, "readable",
                  "What is left of a model in few rules, and how few reasons carry an answer",
                  "lerp bench readable data/family --rules 20,100 --svg readable.svg",
                  [&program, given]() -> Result<void> {
                    LERP_CHECK(check_options(given->options));
                    Console& console = program.console();
                    LERP_TRY(bench, bench_readable({given->datasets.begin(), given->datasets.end()},
                                                   given->sizes, given->options, given->settings,
                                                   console.observer()));
                    if (!given->picture.empty())
                      LERP_CHECK(write_file(given->picture, to_svg(bench)));
                    console.say(to_text(bench));
                    return console.finish(to_json(bench));
                  });
  verb->add_option("DATASET", given->datasets,
                   "dataset folders or files; without any, the built-in family");
  verb->add_option("--rules", given->sizes,
                   "how many rules a relation may have at most, both directions together")
      ->delimiter(',')
      ->capture_default_str();
  verb->add_option("--set", given->settings, "one option of training, name=value");
  verb->add_option("--svg", given->picture, "write quality over the number of rules to this file")
      ->type_name("FILE");
  add_flags(*verb, given->options);
}

void add_fewshot_bench(Program& program, CLI::App& group) {
  struct Arguments {
    FewshotOptions options;
    std::vector<std::string> datasets;
    std::vector<std::string> settings;
  };
  auto given = std::make_shared<Arguments>();
  CLI::App* verb = program.add(
      group, "fewshot", "How relations with few facts are answered, beside trivial models",
      "lerp bench fewshot data/umls --facts 1,2,5", [&program, given]() -> Result<void> {
        LERP_CHECK(check_options(given->options));
        Console& console = program.console();
        LERP_TRY(bench, bench_fewshot({given->datasets.begin(), given->datasets.end()},
                                      given->options, given->settings, console.observer()));
        console.say(to_text(bench));
        return console.finish(to_json(bench));
      });
  verb->add_option("DATASET", given->datasets,
                   "dataset folders or files; without any, the built-in family");
  verb->add_option("--facts", given->options.facts,
                   "known facts that a relation is cut down to; a row for each number")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--set", given->settings, "one option of training, name=value");
  add_flags(*verb, given->options);
}

void add_explain_bench(Program& program, CLI::App& group) {
  struct Arguments : RunArguments {
    unsigned threads = 0;
    ExplainBenchOptions options;
  };
  auto given = std::make_shared<Arguments>();
  CLI::App* verb = program.add(
      group, "explain", "How long a loaded run takes to answer and to explain",
      "lerp bench explain wn18rr-run", [&program, given]() -> Result<void> {
        LERP_CHECK(check_options(given->options));
        Console& console = program.console();
        LERP_TRY(run, open(console, *given, given->threads));
        LERP_TRY(predictor, run.predictor());
        return finish_bench(console, bench_explain(*predictor, given->options, console.observer()));
      });
  add_run(*verb, *given);
  add_rules_only(*verb, *given);
  add_threads(*verb, given->threads);
  add_flags(*verb, given->options);
}

void add_events_bench(Program& program, CLI::App& group) {
  auto options = std::make_shared<EventsBenchOptions>();
  CLI::App* verb =
      program.add(group, "events", "How the time of each part grows with the events of a graph",
                  "lerp bench events --largest 100000", [&program, options]() -> Result<void> {
                    LERP_CHECK(check_options(*options));
                    Console& console = program.console();
                    return finish_bench(console, bench_events(*options, console.observer()));
                  });
  add_flags(*verb, *options);
}

}  // namespace

void add_bench(Program& program) {
  CLI::App* group = program.add_group(
      "bench", "A benchmark with its yardstick, measured in the same run", "lerp bench load");
  add_load_bench(program, *group);
  add_train_bench(program, *group);
  add_scale_bench(program, *group);
  add_serve_bench(program, *group);
  add_paper_bench(program, *group);
  add_quality_bench(program, *group);
  add_readable_bench(program, *group);
  add_fewshot_bench(program, *group);
  add_explain_bench(program, *group);
  add_events_bench(program, *group);
}

}  // namespace lerpp::cli
