// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/run/learn.hpp>

#include "cli/serve.hpp"
#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

constexpr std::size_t shown_rules = 10;
/// Half of the preset's: nobody should wait a minute for what is nearly as good by then.
constexpr std::uint32_t demo_epochs = 4;

struct DemoArguments {
  FamilyOptions family;
  std::string out;
  std::uint32_t threads = 0;
  bool serve = false;
};

/// The strongest rules of all relations that speak for their head.
std::vector<const ReadRule*> best_rules(const Report& report) {
  std::vector<const ReadRule*> best;
  for (const Report::Relation& relation : report.relations) {
    for (const ReadRule& rule : relation.rules) {
      if (rule.rule.weight() > 0) best.push_back(&rule);
    }
  }
  std::stable_sort(best.begin(), best.end(),
                   [](const ReadRule* a, const ReadRule* b) { return a->share > b->share; });
  best.resize(std::min(best.size(), shown_rules));
  return best;
}

Result<void> run_demo(Console& console, const DemoArguments& arguments) {
  LERP_CHECK(check_options(arguments.family));
  const Observer observer = console.observer();
  const std::filesystem::path folder =
      arguments.out.empty() ? free_run_name("demo") : std::filesystem::path(arguments.out);
  const std::filesystem::path data = folder / "family";
  const std::filesystem::path run = folder / "run";
  {
    const Generated generated = generate_family(arguments.family);
    LERP_CHECK(write_generated(generated, data, WriteFormat::tsv, observer));
  }
  // Read back as any other dataset: what follows is what a user's own data gets.
  LERP_TRY(dataset, load(data, {arguments.threads, {}}, observer));
  console.say(headline(dataset));
  OptionRequest request;
  request.settings = {fmt::format("train.epochs={}", demo_epochs)};
  request.seed = arguments.family.seed;
  request.threads = arguments.threads;
  LERP_TRY(options, resolve(dataset, request));
  LERP_TRY(result, train_run(dataset, data, options, run, observer,
                             [&](const std::string& line) { console.say(line); }));

  ReportOptions report_options;
  report_options.threads = arguments.threads;
  LERP_TRY(opened, Run::open(run, arguments.threads, observer));
  LERP_TRY(report, opened.report(report_options));
  if (report.ranks) console.say("\n" + to_text(*report.ranks));
  console.say("\nThe strongest rules: share of the evidence, confidence, rule");
  const Names names = {report.dataset->relations, report.dataset->entities};
  for (const ReadRule* rule : best_rules(report)) {
    console.say(fmt::format("{:5.1f} %  {:.2f}  {}", 100 * rule->share, rule->support.confidence(),
                            to_text(rule->rule, names)));
  }
  if (report.proof) console.say("\nOne proof:\n" + to_text(*report.proof, *report.dataset));
  const std::filesystem::path page = run / "report.html";
  LERP_CHECK(write_file(page, to_html(report, report_options)));
  console.say(fmt::format("\nAll of it is in {}; rules, explain, report and eval take {}.",
                          page.string(), run.string()));
  LERP_TRY(stats, statistics(dataset, 0, console.observer()));
  Json json = {{"stats", to_json(stats)}, {"report", to_json(report)}};
  json["trained"] = to_json(result);
  json["run"] = run.string();
  json["page"] = page.string();
  if (!arguments.serve) return console.finish(json);
  ServeOptions serving;
  serving.threads = arguments.threads;
  std::vector<Run> runs;
  runs.push_back(opened.watched_by({}));
  return serve(console, std::move(runs), serving, std::move(json));
}

}  // namespace

void add_demo(Program& program) {
  auto arguments = std::make_shared<DemoArguments>();
  CLI::App* verb = program.add(
      program.app(), "demo", "Shows the engine on the built-in family graph", "lerp demo",
      [&program, arguments] { return run_demo(program.console(), *arguments); });
  verb->add_option("--out", arguments->out,
                   "the folder to make; the first free name like demo-2 where left out");
  verb->add_flag("--serve", arguments->serve,
                 "serve the run in the end, with the page that asks it");
  add_threads(*verb, arguments->threads);
  add_flags(*verb, arguments->family);
}

}  // namespace lerpp::cli
