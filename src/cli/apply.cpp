// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/distill/apply.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct ApplyArguments {
  std::string rules;
  std::string data;
  std::string split = "test";
  std::string aggregation;
  bool with_valid = false;
  AnyburlOptions anyburl;
  LoadOptions load;
};

Result<void> run_apply(Console& console, const ApplyArguments& arguments) {
  LERP_CHECK(check_options(arguments.anyburl));
  const Observer observer = console.observer();
  LERP_TRY(dataset, load(arguments.data, arguments.load, observer));
  const KnownGraph known(dataset,
                         arguments.with_valid ? KnownSplits::train_and_valid : KnownSplits::train,
                         arguments.load.threads);
  LERP_TRY(applied,
           load_applied_rules(arguments.rules, known, arguments.aggregation, arguments.anyburl));
  RankingOptions options;
  options.split = arguments.split == "valid" ? Split::valid : Split::test;
  options.threads = arguments.load.threads;
  LERP_TRY(report, rank(*applied.scorer, dataset, options, observer));
  console.say(fmt::format("{} rules, {}, on {}", thousands(applied.rules), applied.aggregation,
                          to_text(report)));
  Json result = to_json(report);
  result["rules"] = applied.rules;
  result["aggregation"] = applied.aggregation;
  return console.finish(result);
}

}  // namespace

void add_apply(Program& program) {
  auto arguments = std::make_shared<ApplyArguments>();
  CLI::App* verb =
      program.add(program.app(), "apply", "Ranks with a file of rules, AnyBURL's or our own",
                  "lerp apply rules-100 data/wn18rr",
                  [&program, arguments] { return run_apply(program.console(), *arguments); });
  verb->add_option("RULES", arguments->rules, "a rule file of AnyBURL's, or rules as docs/logic.md")
      ->required();
  add_data(*verb, arguments->data, arguments->load);
  verb->add_option("--split", arguments->split, "valid or test")
      ->capture_default_str()
      ->check(CLI::IsMember({"valid", "test"}));
  verb->add_option(
      "--aggregation", arguments->aggregation,
      "how the rules of an answer are weighed: max, noisy-or or sum; list, as the file "
      "says, for distilled lists [max, or list]");
  verb->add_flag("--with-valid", arguments->with_valid,
                 "let the rules know the validation facts too");
  add_flags(*verb, arguments->anyburl);
}

}  // namespace lerpp::cli
