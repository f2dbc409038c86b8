// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/stats.hpp>
#include <lerp/sweep/sweep.hpp>

#include "cli/verb.hpp"

namespace lerpp::cli {
namespace {

struct SweepArguments {
  std::string data;
  LoadOptions load;
  std::vector<std::string> over;
  std::vector<std::string> settings;
  std::string picture;
  SweepOptions options;
};

/// What an earlier call left in the file that --json names, where it is a sweep.
std::optional<Sweep> earlier_sweep(const std::string& path) {
  std::error_code code;
  if (path.empty() || path == "-" || !std::filesystem::exists(path, code)) return {};
  const Result<FileBytes> bytes = read_file(path);
  if (!bytes) return {};
  Result<Sweep> earlier = sweep_of(Json::parse(bytes->view(), nullptr, false));
  if (!earlier) return {};
  return std::move(*earlier);
}

Result<void> run_sweep(Console& console, const SweepArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  std::vector<SweepAxis> axes;
  for (const std::string& text : arguments.over) {
    LERP_TRY(axis, parse_axis(text));
    axes.push_back(std::move(axis));
  }
  LERP_TRY(dataset, load(arguments.data, arguments.load, console.observer()));
  console.say(headline(dataset));

  const bool to_file = !console.json.empty() && console.json != "-";
  const std::optional<Sweep> earlier = earlier_sweep(console.json);
  Sweep so_far;
  SweepHooks hooks;
  hooks.earlier = earlier ? &*earlier : nullptr;
  hooks.run = [&](const Sweep& sweep) -> Result<void> {
    so_far = sweep;
    console.say(to_text(sweep, sweep.runs.back()));
    if (!arguments.picture.empty()) LERP_CHECK(write_file(arguments.picture, to_svg(sweep)));
    return to_file ? console.finish(to_json(sweep)) : Result<void>{};
  };
  SweepOptions options = arguments.options;
  options.threads = arguments.load.threads;
  Result<Sweep> result =
      sweep(dataset, axes, options, arguments.settings, console.observer(), hooks);
  if (!result) {
    if (!so_far.runs.empty()) console.say(to_text(so_far));
    if (result.error().kind == ErrorKind::interrupted) {
      result.error().remedy = to_file ? "the same command goes on from here"
                                      : "with --json FILE the same command would go on from here";
    }
    return forward_error(result);
  }
  console.say(to_text(*result));
  return console.finish(to_json(*result));
}

}  // namespace

void add_sweep(Program& program) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* verb = program.add(
      program.app(), "sweep", "Trains a grid of options: one table and one picture",
      "lerp sweep data/family --over depth=0,1,2,3 --seeds 3 --svg depth.svg --json depth.json",
      [&program, arguments] { return run_sweep(program.console(), *arguments); });
  add_data(*verb, arguments->data, arguments->load);
  verb->add_option("--over", arguments->over,
                   "an option and its values, name=value,value; depth, width, rules and length are "
                   "short for functions.depth and so on; may be given often")
      ->required();
  verb->add_option("--set", arguments->settings, "one option of all runs, name=value");
  verb->add_option("--svg", arguments->picture, "write the picture to this file")
      ->type_name("FILE");
  SweepOptions& options = arguments->options;
  verb->add_option("--preset", options.preset, "a named set of options: paper, default or best")
      ->capture_default_str();
  verb->add_option("--split", options.split,
                   "the facts that are ranked: valid, to choose by, or test, to report what was "
                   "chosen")
      ->capture_default_str()
      ->check(CLI::IsMember({"valid", "test"}));
  verb->add_option("--seeds", options.seeds, "runs of each point, with seeds 1, 2, ...")
      ->capture_default_str();
  verb->add_flag("--alone", options.alone,
                 "do not train the same without functions, as DRUM, beside each point");
}

}  // namespace lerpp::cli
