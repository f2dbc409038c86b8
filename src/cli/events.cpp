// SPDX-License-Identifier: Apache-2.0
#include "cli/events.hpp"

#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/events/baseline.hpp>

namespace lerpp::cli {
namespace {

struct BaselineArguments {
  std::string data;
  std::string model;
  std::string schemas;
  std::string split = "test";
  std::string ending = "reached";
  unsigned threads = 0;
};

Result<void> run_baseline(Console& console, const BaselineArguments& arguments) {
  LERP_TRY(baseline, event_baseline_named(arguments.model));
  LERP_TRY(ending, ending_named(arguments.ending));
  if (baseline == EventBaseline::schema && arguments.schemas.empty()) {
    return fail("the schemas are missing", "", "name a file of them with --schemas",
                ErrorKind::usage);
  }
  LERP_TRY(data, load_events(arguments.data, {}, console.observer()));
  say_notes(console, data);
  std::vector<EventGraph> schemas;
  if (baseline == EventBaseline::schema) {
    LERP_TRY(library, load_events(arguments.schemas, data.names, console.observer()));
    schemas = std::move(library[Split::train]);
  }
  const Split split = arguments.split == "valid" ? Split::valid : Split::test;
  LERP_TRY(cases, ending_cases(data, split, ending));
  const auto scorer = make_event_baseline(baseline, data, ending, schemas);
  EndingReport report =
      rank_endings(*scorer, cases, ending, data.names.event_types.size(), arguments.threads);
  report.data = data.name;
  report.split = arguments.split;
  report.model = arguments.model;
  console.say(to_text(report));
  return console.finish(to_json(report));
}

}  // namespace

void say_notes(Console& console, const EventData& data) {
  for (const std::string& note : data.notes) console.say("note: " + note);
}

void add_split(CLI::App& verb, std::string& split) {
  verb.add_option("--split", split, "valid or test")
      ->capture_default_str()
      ->check(CLI::IsMember({"valid", "test"}));
}

void add_event_baseline(Program& program, CLI::App& events) {
  auto arguments = std::make_shared<BaselineArguments>();
  CLI::App* verb =
      program.add(events, "baseline", "Predicts ending events with a trivial model",
                  "lerp events baseline data/event-ied --model frequency",
                  [&program, arguments] { return run_baseline(program.console(), *arguments); });
  verb->add_option("DATA", arguments->data, "a folder of event graphs, or one file")->required();
  verb->add_option("--model", arguments->model, "frequency, ngram, pairwise, prefixspan or schema")
      ->required();
  verb->add_option("--schemas", arguments->schemas, "schemas written by people, for schema")
      ->type_name("FILE");
  add_split(*verb, arguments->split);
  add_ending(*verb, arguments->ending);
  add_threads(*verb, arguments->threads);
}

void add_events(Program& program) {
  CLI::App* events =
      program.add_group("events", "Learns from event graphs: how they end, what holds in them",
                        "lerp events train data/event-ied --out ied-run");
  add_event_train(program, *events);
  add_event_eval(program, *events);
  add_event_induce(program, *events);
  add_event_baseline(program, *events);
}

}  // namespace lerpp::cli
