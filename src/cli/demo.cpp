#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/eval/baseline.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/train/train.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

constexpr std::size_t shown_rules = 10;
constexpr std::uint32_t demo_epochs = 5;

Result<void> run_demo(Console& console, const FamilyOptions& given) {
  LERP_CHECK(check_options(given));
  const Generated generated = generate_family(given);
  const Dataset& dataset = generated.dataset;
  console.say(to_text(statistics(dataset)));

  console.say(fmt::format("\nThe first of its {} true rules:", generated.rules.size()));
  for (std::size_t i = 0; i < std::min(shown_rules, generated.rules.size()); ++i) {
    console.say("  " + generated.rules[i]);
  }

  Json result = {{"stats", to_json(statistics(dataset))}};
  const Graph known = dataset.known_graph();
  for (const std::string_view model : {"zero", "symmetry", "frequency", "inverse"}) {
    LERP_TRY(baseline, baseline_named(model));
    LERP_TRY(report, rank(*make_baseline(baseline, known), dataset, {}, console.observer()));
    console.say(fmt::format(
        "{}{:<10} test MRR {:.3f}   optimistic {:.3f}   pessimistic {:.3f}   hits@10 {:.3f}",
        model == "zero" ? "\nWhat trivial models reach, and what ties do to a table:\n" : "", model,
        report.both.realistic.mrr, report.both.optimistic.mrr, report.both.pessimistic.mrr,
        report.both.realistic.hits_at_10));
    result["baselines"][std::string(model)] = to_json(report);
  }

  LERP_TRY(options, preset("paper", {}));
  options.train.epochs = demo_epochs;
  options.train.seed = given.seed;
  resolve(options, dataset);
  console.say("\nLearning functions and rules, with the paper's settings:");
  TrainHooks hooks;
  hooks.epoch = [&](const EpochReport& report) -> Result<void> {
    console.say(to_text(report));
    return {};
  };
  LERP_TRY(trained, train(dataset, options, console.observer(), hooks));
  LERP_TRY(report, evaluate(trained.model, dataset, {}, false, console.observer()));
  console.say(to_text(report));
  result["trained"] = to_json(report);
  return console.finish(result);
}

}  // namespace

void add_demo(Program& program) {
  auto options = std::make_shared<FamilyOptions>();
  CLI::App* verb = program.add(
      program.app(), "demo", "Shows the engine on the built-in family graph", "lerp demo",
      [&program, options] { return run_demo(program.console(), *options); });
  add_flags(*verb, *options);
}

}  // namespace lerpp::cli
