// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/report/rule_picture.hpp>
#include <lerp/train/trace.hpp>

#include "cli/run_arguments.hpp"

namespace lerpp::cli {
namespace {

struct PictureArguments : RunArguments {
  std::string out;
};

/// Writes the picture where it was asked for, or into the run folder.
Result<void> finish_picture(Console& console, const PictureArguments& arguments, const char* name,
                            const std::string& svg, Json json) {
  const std::filesystem::path path = arguments.file(arguments.out, name);
  LERP_CHECK(write_file(path, svg));
  console.say(fmt::format("picture in {}", path.string()));
  json["picture"] = path.string();
  return console.finish(json);
}

CLI::App* add_picture_verb(Program& program, CLI::App& group, const char* name, const char* help,
                           const char* example, PictureArguments& arguments,
                           std::function<Result<void>()> action) {
  CLI::App* verb = program.add(group, name, help, example, std::move(action));
  verb->add_option("--out", arguments.out, "the picture; a file of the run where left out")
      ->type_name("FILE");
  return verb;
}

void add_curves(Program& program, CLI::App& group) {
  auto arguments = std::make_shared<PictureArguments>();
  CLI::App* verb = add_picture_verb(
      program, group, "curves", "Loss and validation MRR over the epochs",
      "lerp picture curves family-run", *arguments, [&program, arguments]() -> Result<void> {
        LERP_TRY(trace, load_trace(arguments->run));
        Json json = Json::object();
        for (const EpochReport& epoch : trace) json["epochs"].push_back(to_json(epoch));
        return finish_picture(program.console(), *arguments, "curves.svg", curves_svg(trace),
                              std::move(json));
      });
  verb->add_option("RUN", arguments->run, "a run folder")->required();
}

struct SpaceArguments : PictureArguments {
  FunctionSpaceOptions options;
  std::vector<std::string> roles;
};

Result<void> run_space(Console& console, const SpaceArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open(console, arguments, arguments.options.threads));
  LERP_TRY(space, run.function_space(arguments.roles, arguments.options));
  LERP_TRY(data, run.data());
  console.say(to_text(space));
  return finish_picture(console, arguments, "space.svg", to_svg(space), to_json(space, *data));
}

void add_space(Program& program, CLI::App& group) {
  auto arguments = std::make_shared<SpaceArguments>();
  CLI::App* verb = add_picture_verb(
      program, group, "space",
      "The entities in the space of the functions (PCA), with roles and planes",
      "lerp picture space family-run --role 'is an uncle: ∃z uncle(x,z)'", *arguments,
      [&program, arguments] { return run_space(program.console(), *arguments); });
  add_run(*verb, *arguments);
  verb->add_option("--role", arguments->roles,
                   "a formula of x, or 'name: formula'; may be given often");
  add_flags(*verb, arguments->options);
}

struct RuleArguments : PictureArguments {
  std::string rule;
};

Result<void> run_rule(Console& console, const RuleArguments& arguments) {
  LERP_TRY(run, open(console, arguments, 0));
  LERP_TRY(data, run.data());
  const Names names = {data->relations, data->entities};
  LERP_TRY(rule, parse_rule(arguments.rule, names));
  const Json json = {{"rule", to_text(rule, names)}};
  return finish_picture(console, arguments, "rule.svg", to_svg(rule, names), json);
}

void add_rule(Program& program, CLI::App& group) {
  auto arguments = std::make_shared<RuleArguments>();
  CLI::App* verb = add_picture_verb(
      program, group, "rule", "The diagram of a rule",
      "lerp picture rule family-run 'mother(z,x) ∧ son(y,z) ⇒ brother(y,x)'", *arguments,
      [&program, arguments] { return run_rule(program.console(), *arguments); });
  add_run(*verb, *arguments);
  verb->add_option("RULE", arguments->rule, "the rule, as docs/logic.md writes them")->required();
}

struct NetworkArguments : PictureArguments {
  std::string relation;
  bool heads = false;
  NetworkOptions options;
};

Result<void> run_network(Console& console, const NetworkArguments& arguments) {
  LERP_CHECK(check_options(arguments.options));
  LERP_TRY(run, open(console, arguments, 0));
  LERP_TRY(data, run.data());
  LERP_TRY(relation, run.relation(arguments.relation));
  const OperatorId target = relation + (arguments.heads ? data->relations.size() : 0);
  LERP_TRY(found, run.network(target, arguments.options));
  return finish_picture(console, arguments, "network.svg", to_svg(found, *data),
                        to_json(found, *data));
}

void add_network(Program& program, CLI::App& group) {
  auto arguments = std::make_shared<NetworkArguments>();
  CLI::App* verb = add_picture_verb(
      program, group, "network", "The weights behind a soft rule, down to the functions' columns",
      "lerp picture network family-run brother", *arguments,
      [&program, arguments] { return run_network(program.console(), *arguments); });
  add_run(*verb, *arguments);
  verb->add_option("RELATION", arguments->relation, "of the head")->required();
  verb->add_flag("--heads", arguments->heads, "the rules that answer r(?, t) instead of r(h, ?)");
  add_flags(*verb, arguments->options);
}

}  // namespace

void add_picture(Program& program) {
  CLI::App* group =
      program.add_group("picture", "Pictures of what a run has learned, as SVG for any paper",
                        "lerp picture space family-run");
  add_curves(program, *group);
  add_space(program, *group);
  add_rule(program, *group);
  add_network(program, *group);
}

}  // namespace lerpp::cli
