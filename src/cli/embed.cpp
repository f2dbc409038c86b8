// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/embed/study.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/read/embed_functions.hpp>
#include <lerp/report/relation_table.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct EmbedArguments {
  std::string data;
  std::string out;
  std::string svg;
  std::string csv;
  bool functions = false;
  EmbedOptions options;
  EmbedStudyOptions study;
  LoadOptions load;
  const CLI::Option* variant = nullptr;  ///< whether one was asked for
};

Result<void> write_curves(const EmbedArguments& arguments, std::span<const Embedded> runs) {
  if (!arguments.svg.empty()) LERP_CHECK(write_file(arguments.svg, curves_svg(runs)));
  if (!arguments.csv.empty()) LERP_CHECK(write_file(arguments.csv, curves_csv(runs)));
  return {};
}

Result<void> show_functions(Console& console, const EmbedArguments& arguments,
                            const Dataset& dataset, const TransEModel& model, Json& json) {
  LERP_TRY(functions, embed_functions(model, dataset, arguments.options.threads));
  console.say(to_text(functions, dataset));
  const RelationTable table = relation_table(functions);
  console.say(to_text(table, dataset));
  json["functions"] = to_json(functions, dataset);
  json["relations_by_function"] = to_json(table, dataset);
  return {};
}

Result<Embedded> learn_one(Console& console, const EmbedArguments& arguments,
                           const Dataset& dataset) {
  const auto say = [&](const std::string& line) { console.say(line); };
  const Observer observer = console.observer();
  if (!arguments.out.empty())
    return embed_run(dataset, arguments.data, arguments.options, arguments.out, observer, say);
  EmbedHooks hooks;
  hooks.epoch = [&](const EmbedEpoch& epoch) -> Result<void> {
    say(to_text(epoch));
    return {};
  };
  Result<Embedded> embedded = embed(dataset, arguments.options, observer, hooks);
  if (embedded) say(summary(*embedded));
  return embedded;
}

/// One embedding, all threads on it.
Result<void> run_one(Console& console, const EmbedArguments& arguments, const Dataset& dataset) {
  LERP_TRY(embedded, learn_one(console, arguments, dataset));
  LERP_CHECK(write_curves(arguments, {&embedded, 1}));
  Json json = to_json(embedded);
  if (arguments.functions)
    LERP_CHECK(show_functions(console, arguments, dataset, embedded.model, json));
  return console.finish(json);
}

/// Several beside each other, each on one thread.
Result<void> run_several(Console& console, const EmbedArguments& arguments,
                         const Dataset& dataset) {
  EmbedStudyOptions options = arguments.study;
  options.folder = arguments.out;
  options.data = arguments.data;
  Result<EmbedStudy> learned = embed_study(dataset, arguments.options, options, console.observer());
  if (!learned && learned.error().kind == ErrorKind::interrupted) {
    learned.error().remedy = arguments.out.empty()
                                 ? "with --out FOLDER the same command would go on from here"
                                 : "the same command goes on from here";
  }
  LERP_TRY(study, std::move(learned));
  LERP_CHECK(write_curves(arguments, runs_of(study)));
  console.say(to_text(study));
  Json json = to_json(study);
  if (arguments.functions) {
    LERP_CHECK(show_functions(console, arguments, dataset, study.variants.back().runs.front().model,
                              json));
  }
  return console.finish(json);
}

Result<void> run_embed(Console& console, EmbedArguments& arguments) {
  // A spread is there to compare by.
  if (arguments.study.seeds > 1 && arguments.variant->count() == 0)
    arguments.options.variant = "all";
  LERP_CHECK(check_options(arguments.options));
  arguments.load.threads = arguments.options.threads;
  LERP_TRY(dataset, load(arguments.data, arguments.load, console.observer()));
  console.say(headline(dataset));
  const bool several = arguments.study.seeds > 1 || !arguments.study.tried.empty() ||
                       arguments.options.variant == "all";
  return several ? run_several(console, arguments, dataset) : run_one(console, arguments, dataset);
}

}  // namespace

void add_embed(Program& program) {
  auto arguments = std::make_shared<EmbedArguments>();
  CLI::App* verb = program.add(
      program.app(), "embed", "Learns vectors of entities and relations, with logical functions",
      "lerp embed data/family --variant lerp --out family-embedding --functions",
      [&program, arguments] { return run_embed(program.console(), *arguments); });
  verb->add_option("DATA", arguments->data, "a dataset folder or file")->required();
  add_flags(*verb, arguments->options);
  add_read_flags(*verb, arguments->load);
  arguments->variant = verb->get_option("--variant");
  verb->add_option("--seeds", arguments->study.seeds,
                   "embeddings of each variant, from --seed on: their mean and spread")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  verb->add_option("--try", arguments->study.tried,
                   "values of an option, name=value,value: the best on validation is taken, for "
                   "each variant; may be given often");
  verb->add_option("--out", arguments->out,
                   "a run folder to make; of several embeddings, a folder of their run folders, "
                   "which the same command goes on with")
      ->type_name("RUN");
  verb->add_option("--svg", arguments->svg, "write the curves of MRR by epoch to this file")
      ->type_name("FILE");
  verb->add_option("--csv", arguments->csv, "the same as a table")->type_name("FILE");
  verb->add_flag("--functions", arguments->functions,
                 "show the functions and the relations that go with them");
}

}  // namespace lerpp::cli
