// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/options_json.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/kg/stats.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

template <class Options>
struct GenerateArguments {
  std::string out;
  std::string format = "tsv";
  Options options;
};

Result<Generated> generate(const FamilyOptions& options, const Observer& /*observer*/) {
  return generate_family(options);
}
Result<Generated> generate(const ScaleOptions& options, const Observer& observer) {
  return generate_scale(options, observer);
}

template <class Options>
Result<void> run_generate(Console& console, const GenerateArguments<Options>& arguments) {
  LERP_CHECK(check_options(arguments.options));
  const Observer observer = console.observer();
  LERP_TRY(generated, generate(arguments.options, observer));
  LERP_CHECK(write_generated(generated, arguments.out, write_format(arguments.format), observer));
  const Dataset& dataset = generated.dataset;
  console.say(fmt::format("{}\nwrote {} with {} true rules in rules.txt", headline(dataset),
                          arguments.out, generated.rules.size()));
  Json result = {{"dataset", dataset.name},
                 {"folder", arguments.out},
                 {"options", options_to_json(arguments.options)}};
  result["entities"] = dataset.entities.size();
  result["relations"] = dataset.relations.size();
  for (const Split split : all_splits)
    result["splits"][std::string(name_of(split))] = dataset[split].size();
  result["rules"] = generated.rules.size();
  return console.finish(result);
}

template <class Options>
void add_kind(Program& program, CLI::App& group, const std::string& kind, const std::string& help,
              const std::string& example) {
  auto arguments = std::make_shared<GenerateArguments<Options>>();
  CLI::App* verb = program.add(group, kind, help, example, [&program, arguments] {
    return run_generate(program.console(), *arguments);
  });
  verb->add_option("OUT", arguments->out, "the folder to write")->required();
  add_write_format(*verb, arguments->format);
  add_flags(*verb, arguments->options);
}

}  // namespace

void add_generate(Program& program) {
  CLI::App* group =
      program.add_group("generate", "Writes a synthetic dataset whose true rules are known",
                        "lerp generate family data/family");
  add_kind<FamilyOptions>(program, *group, "family",
                          "Families over generations: the built-in graph",
                          "lerp generate family data/family --people 1000");
  add_kind<ScaleOptions>(program, *group, "scale",
                         "A graph of any size with skewed degrees and planted rules",
                         "lerp generate scale data/large --facts 1000000");
}

}  // namespace lerpp::cli
