#include <memory>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/train/embed.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct EmbedArguments {
  std::string data;
  EmbedOptions options;
};

Result<void> run_embed(Console& console, const EmbedArguments& arguments) {
  const Observer observer = console.observer();
  LERP_CHECK(check_options(arguments.options));
  LoadOptions load_options;
  load_options.threads = arguments.options.threads;
  LERP_TRY(dataset, load(arguments.data, load_options, observer));
  console.say(headline(dataset));
  LERP_TRY(embedded, embed(dataset, arguments.options, observer,
                           [&](const EmbedEpoch& epoch, const TransEModel*) -> Result<void> {
                             console.say(to_text(epoch));
                             return {};
                           }));
  return console.finish(to_json(embedded));
}

}  // namespace

void add_embed(Program& program) {
  auto arguments = std::make_shared<EmbedArguments>();
  CLI::App* verb = program.add(
      program.app(), "embed", "Learns vectors of entities and relations, with logical functions",
      "lerp embed data/family --variant lerp --out family-embedding",
      [&program, arguments] { return run_embed(program.console(), *arguments); });
  verb->add_option("DATA", arguments->data, "a dataset folder or file")->required();
  add_flags(*verb, arguments->options);
}

}  // namespace lerpp::cli
