// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/eval/baseline.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct BaselineArguments {
  std::string data;
  std::string model;
  std::string split = "test";
  bool with_valid = false;
  LoadOptions load;
};

Result<void> run_baseline(Console& console, const BaselineArguments& arguments) {
  LERP_TRY(baseline, baseline_named(arguments.model));
  const Observer observer = console.observer();
  LERP_TRY(dataset, load(arguments.data, arguments.load, observer));
  const Graph known =
      dataset.known_graph(arguments.with_valid ? KnownSplits::train_and_valid : KnownSplits::train,
                          arguments.load.threads);
  RankingOptions options;
  options.split = arguments.split == "valid" ? Split::valid : Split::test;
  options.threads = arguments.load.threads;
  LERP_TRY(report, rank(*make_baseline(baseline, known), dataset, options, observer));
  console.say(fmt::format("{} baseline on {}", arguments.model, to_text(report)));
  Json result = to_json(report);
  result["model"] = arguments.model;
  return console.finish(result);
}

}  // namespace

void add_baseline(Program& program) {
  auto arguments = std::make_shared<BaselineArguments>();
  CLI::App* verb = program.add(
      program.app(), "baseline", "Ranks with a trivial model, and shows what ties do to a table",
      "lerp baseline data/family --model inverse",
      [&program, arguments] { return run_baseline(program.console(), *arguments); });
  add_data(*verb, arguments->data, arguments->load);
  verb->add_option("--model", arguments->model, "symmetry, inverse, frequency or zero")->required();
  verb->add_flag("--with-valid", arguments->with_valid,
                 "let the model know the validation facts too");
  verb->add_option("--split", arguments->split, "valid or test")
      ->capture_default_str()
      ->check(CLI::IsMember({"valid", "test"}));
}

}  // namespace lerpp::cli
