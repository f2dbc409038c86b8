#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/events/train.hpp>

#include "cli/events.hpp"

namespace lerpp::cli {
namespace {

constexpr const char* train_example = "lerp events train data/event-ied --out ied-run";

struct TrainArguments {
  std::string data;
  std::string out;
  std::uint32_t seeds = 1;
  EventOptions options;
  std::vector<std::string> settings;
};

/// Mean and spread of one figure over seeds.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< of the sample
};

Spread spread_of(const std::vector<double>& values) {
  Spread result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  if (values.size() < 2) return result;
  for (const double value : values) {
    result.deviation += (value - result.mean) * (value - result.mean);
  }
  result.deviation = std::sqrt(result.deviation / static_cast<double>(values.size() - 1));
  return result;
}

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
  for (const std::string& setting : arguments.settings) {
    LERP_CHECK(set_option(arguments.options, setting));
  }
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(data, load_events(arguments.data, {}, console.observer()));
  say_notes(console, data);
  if (arguments.out.empty()) arguments.out = data.name + "-run";
  std::vector<EndingReport> dev;
  std::vector<EndingReport> test;
  Json result;
  for (std::uint32_t i = 0; i < arguments.seeds; ++i) {
    EventOptions options = arguments.options;
    options.seed += i;
    const std::string folder =
        arguments.seeds == 1 ? arguments.out : fmt::format("{}-{}", arguments.out, options.seed);
    LERP_TRY(run, run_events(data, arguments.data, options, folder, console.observer(),
                             [&](const std::string& line) { console.say(line); }));
    if (run.dev) dev.push_back(*run.dev);
    if (run.test) test.push_back(*run.test);
    if (i == 0) result = to_json(run);
    console.say(fmt::format("strongest evidence:\n{}", strongest_evidence(run.trained.model, 5)));
    console.say(fmt::format("run {}: lerp events eval takes this name", folder));
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
};

Result<EventModel> open_event_run(const std::string& run) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!fs::exists(run, code) && fs::exists(run + "-1", code)) {
    return fail("there is no run of this name, but runs of several seeds", run,
                fmt::format("give one of them, {}-1", run));
  }
  return load_event_model(fs::path(run) / "model.safetensors");
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
  console.say(to_text(report));
  return console.finish(to_json(report));
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
  verb->add_option("--set", arguments->settings, "one option, name=value; may be given often");
  verb->add_option("--seed", arguments->options.seed, "the same seed gives the same model")
      ->capture_default_str();
  add_ending(*verb, arguments->options.ending);
  verb->add_option("--threads", arguments->options.threads,
                   "how many threads to use, at most one for each core; 0 is that many");
  std::string options = "Options for --set:\n";
  EventOptions::fields(arguments->options, [&](const Field& field, const auto& value) {
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
  add_threads(*verb, arguments->threads);
}

}  // namespace lerpp::cli
