// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/embed/study.hpp>
#include <lerp/events/explain.hpp>
#include <lerp/events/train.hpp>

#include "cli/events.hpp"
#include "cli/finish_run.hpp"

namespace lerpp::cli {
namespace {

constexpr const char* train_example = "lerp events train data/event-ied --out ied-run";

struct TrainArguments {
  std::string data;
  std::string out;
  std::uint32_t seeds = 1;
  EventOptionRequest request;
};

/// One line and one JSON object for the same split of several seeds.
Json tell_spread(Console& console, const char* split, const std::vector<EndingReport>& reports) {
  if (reports.empty()) return nullptr;
  Json json = Json::object();
  std::string line = fmt::format("{} seeds, {}:", reports.size(), split);
  const auto add = [&](const char* key, const char* name, auto&& value_of) {
    std::vector<double> values;
    values.reserve(reports.size());
    for (const EndingReport& report : reports) values.push_back(value_of(report));
    const Spread spread = spread_of(values);
    json[key] = {{"mean", spread.mean}, {"deviation", spread.deviation}, {"values", values}};
    line += fmt::format("   {} {:.3f} ± {:.3f}", name, spread.mean, spread.deviation);
  };
  add("hits_at_1", "hits@1", [](const EndingReport& r) { return r.raw.hits_at_1; });
  add("mrr", "MRR", [](const EndingReport& r) { return r.raw.mrr; });
  add("mrr_by_graph", "MRR by graph", [](const EndingReport& r) { return r.raw.mrr_by_graph; });
  add("mrr_filtered", "filtered MRR", [](const EndingReport& r) { return r.filtered.mrr; });
  console.say(line);
  return json;
}

Result<void> run_train(Console& console, TrainArguments arguments) {
  LERP_TRY(resolved, resolve(arguments.request));
  LERP_TRY(data, load_events(arguments.data, {}, console.observer()));
  say_notes(console, data);
  if (arguments.out.empty()) arguments.out = data.name + "-run";
  std::vector<EndingReport> dev;
  std::vector<EndingReport> test;
  Json result;
  for (std::uint32_t i = 0; i < arguments.seeds; ++i) {
    EventOptions options = resolved;
    options.seed += i;
    const std::string folder =
        arguments.seeds == 1 ? arguments.out : fmt::format("{}-{}", arguments.out, options.seed);
    LERP_TRY(run, run_events(data, arguments.data, options, folder, console.observer(),
                             [&](const std::string& line) { console.say(line); }));
    if (run.dev) dev.push_back(*run.dev);
    if (run.test) test.push_back(*run.test);
    if (i == 0) result = to_json(run);
    tell_run(console, folder, run);
  }
  if (arguments.seeds > 1) {
    result["seeds"] = {{"valid", tell_spread(console, "dev", dev)},
                       {"test", tell_spread(console, "test", test)}};
  }
  return console.finish(result);
}

struct EvalArguments {
  std::string run;
  std::string data;
  std::string split = "test";
  unsigned threads = 0;
  bool explain = false;
  std::size_t top = 5;
};

Result<EventModel> open_event_run(const std::string& run) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!fs::exists(run, code) && fs::exists(run + "-1", code)) {
    return fail("there is no run of this name, but runs of several seeds", run,
                fmt::format("give one of them, {}-1", run));
  }
  return open_events(run);
}

Result<void> run_eval(Console& console, const EvalArguments& arguments) {
  LERP_TRY(model, open_event_run(arguments.run));
  LERP_TRY(data, load_events(arguments.data.empty() ? model.data : arguments.data, model.names,
                             console.observer()));
  say_notes(console, data);
  const Split split = arguments.split == "valid"   ? Split::valid
                      : arguments.split == "train" ? Split::train
                                                   : Split::test;
  LERP_TRY(report, evaluate_events(model, data, split, arguments.threads));
  Json json = to_json(report);
  if (arguments.explain) {
    LERP_TRY(explanations, explain_endings(model, data, split, console.observer()));
    console.say(to_text(explanations, arguments.top));
    json["explanations"] = to_json(explanations, arguments.top);
  }
  console.say(to_text(report));
  return console.finish(json);
}

}  // namespace

void add_event_train(Program& program, CLI::App& events) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* verb =
      program.add(events, "train", "Learns to predict how event graphs end", train_example,
                  [&program, arguments] { return run_train(program.console(), *arguments); });
  verb->add_option("DATA", arguments->data, "a folder of event graphs, or one file")->required();
  verb->add_option("--out", arguments->out, "the run folder; DATA-run where left out");
  verb->add_option("--seeds", arguments->seeds,
                   "learn so many times, from --seed on, and tell mean and spread")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  EventOptionRequest& request = arguments->request;
  verb->add_option("--preset", request.preset,
                   "a named set of options: default, or paper for functions and nothing else")
      ->capture_default_str();
  verb->add_option("--set", request.settings, "one option, name=value; may be given often");
  verb->add_option("--seed", request.seed, "the same seed gives the same model")->default_str("1");
  add_ending(*verb, request.ending);
  verb->add_option("--threads", request.threads,
                   "how many threads to use, at most one for each core; 0 is that many");
  std::string options = "Options for --set, with the values of the preset default:\n";
  const EventOptions defaults;
  EventOptions::fields(defaults, [&](const Field& field, const auto& value) {
    options += fmt::format("  {:<10} {} [{}]\n", field.name, field.help, value);
  });
  verb->footer(fmt::format("{}\nExample:\n  {}", options, train_example));
}

void add_event_eval(Program& program, CLI::App& events) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* verb =
      program.add(events, "eval", "Ranks the ending events that a run's model predicts",
                  "lerp events eval ied-run --split valid",
                  [&program, arguments] { return run_eval(program.console(), *arguments); });
  verb->add_option("RUN", arguments->run, "a run folder of lerp events train")->required();
  verb->add_option("--data", arguments->data, "other data; types it has not seen rank last");
  verb->add_option("--split", arguments->split, "train, valid or test")
      ->capture_default_str()
      ->check(CLI::IsMember({"train", "valid", "test"}));
  verb->add_flag("--explain", arguments->explain,
                 "tell why each graph is said to end so: formulas and evidence with their shares");
  verb->add_option("--top", arguments->top, "reasons of an ending to tell")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  add_threads(*verb, arguments->threads);
}

}  // namespace lerpp::cli
