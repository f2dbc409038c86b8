// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/logic/english.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/run/run.hpp>

#include "paper/parts.hpp"

namespace lerpp {
namespace {

constexpr std::uint32_t shown = 20;
/// A formula that correlates so well with a soft function says what it is.
constexpr double good_reading = 0.9;

Result<Measurements> plan_shown(Workshop& workshop) {
  Measurements all;
  if (!workshop.has(shown_training().dataset)) return all;
  LERP_TRY(one, workshop.measurement(shown_training()));
  all.push_back(std::move(one));
  return all;
}

Result<Run> open_shown(Workshop& workshop) {
  LERP_TRY(folder, workshop.run_folder(shown_training()));
  return Run::open(folder, workshop.options().threads, workshop.observer());
}

PaperPart nothing(const char* what) {
  PaperPart part;
  part.verdict = fmt::format("Not made: {} needs the dataset family.", what);
  return part;
}

}  // namespace

Result<Measurements> plan_table3(Workshop& workshop) {
  return plan_shown(workshop);
}

Result<PaperPart> make_table3(Workshop& workshop) {
  if (!workshop.has(shown_training().dataset)) return nothing("Table 3");
  LERP_TRY(run, open_shown(workshop));
  LERP_TRY(data, run.data());
  RulesOptions options;
  options.top = shown;
  LERP_TRY(report, run.rules(options));
  const Names names{data->relations, data->entities};
  PaperPart part;
  PaperPart::Table table;
  table.caption =
      "The strongest rules of LERP on Family, seed 1, by their share of the evidence for right "
      "answers of their relation; weight is what a walk adds to the score";
  table.heads = {"rule", "in English", "share", "weight", "support", "confidence"};
  std::size_t constrained = 0;
  for (const ReadRule& rule : report.rules) {
    const std::string text = to_text(rule.rule, names);
    const std::vector<Formula>& constraints = rule.rule.constraints();
    const bool has_function =
        std::any_of(constraints.begin(), constraints.end(),
                    [](const Formula& formula) { return formula != Formula::truth(); });
    constrained += has_function ? 1 : 0;
    table.rows.push_back({text, to_english(rule.rule, names), three(rule.share),
                          three(rule.rule.weight()), std::to_string(rule.support.support),
                          three(rule.support.confidence())});
    part.rows.push_back({{"item", "table3"},
                         {"dataset", "family"},
                         {"rule", text},
                         {"share", rule.share},
                         {"weight", rule.rule.weight()},
                         {"support", rule.support.support},
                         {"confidence", rule.support.confidence()},
                         {"has_function", has_function}});
  }
  part.verdict = fmt::format("{} of the {} strongest rules have a function as a condition.",
                             constrained, report.rules.size());
  part.tables.push_back(std::move(table));
  return part;
}

Result<Measurements> plan_table4(Workshop& workshop) {
  return plan_shown(workshop);
}

Result<PaperPart> make_table4(Workshop& workshop) {
  if (!workshop.has(shown_training().dataset)) return nothing("Table 4");
  LERP_TRY(run, open_shown(workshop));
  LERP_TRY(data, run.data());
  FunctionsOptions options;
  options.top = shown;
  LERP_TRY(functions, run.functions(options));
  const Names names{data->relations, data->entities};
  PaperPart part;
  PaperPart::Table table;
  table.caption =
      "The functions that rules of Family use most, seed 1, read as formulas; correlation is that "
      "of the formula and the soft function over all entities";
  table.heads = {"function", "in English", "use", "correlation", "holds of"};
  for (const ReadFunction& function : functions) {
    const std::string text = to_text(function.formula, names);
    table.rows.push_back({text, to_english(function.formula, names),
                          fmt::format("{:.1f} %", 100 * function.use), three(function.correlation),
                          fmt::format("{:.1f} %", 100 * function.share)});
    part.rows.push_back({{"item", "table4"},
                         {"dataset", "family"},
                         {"function", text},
                         {"use", function.use},
                         {"correlation", function.correlation},
                         {"share", function.share}});
  }
  const auto read = std::count_if(
      functions.begin(), functions.end(),
      [](const ReadFunction& function) { return function.correlation >= good_reading; });
  part.verdict = fmt::format(
      "{} of the {} functions that rules use most read as formulas with a correlation of at least "
      "{}.",
      read, functions.size(), good_reading);
  part.tables.push_back(std::move(table));
  return part;
}

Result<Measurements> plan_figure3(Workshop& workshop) {
  return plan_shown(workshop);
}

Result<PaperPart> make_figure3(Workshop& workshop) {
  if (!workshop.has(shown_training().dataset)) return nothing("Figure 3");
  LERP_TRY(run, open_shown(workshop));
  LERP_TRY(space, run.function_space());
  PaperPart part;
  PaperPart::Table table;
  table.caption =
      "A plane in the space of the functions that tells entities of a role from the others: "
      "fitted on one half, accuracy on the other. In the picture: of a plane in the three "
      "components that it shows";
  table.heads = {"role", "holds of", "accuracy", "balanced accuracy", "accuracy in the picture"};
  double least = 1;
  for (const FunctionSpace::Separation& role : space.roles) {
    least = std::min(least, role.balanced);
    table.rows.push_back({role.role.name, fmt::format("{:.1f} %", 100 * role.share),
                          three(role.accuracy), three(role.balanced),
                          three(role.accuracy_in_picture)});
    part.rows.push_back({{"item", "figure3"},
                         {"dataset", "family"},
                         {"role", role.role.name},
                         {"share", role.share},
                         {"accuracy", role.accuracy},
                         {"balanced_accuracy", role.balanced},
                         {"accuracy_in_picture", role.accuracy_in_picture}});
  }
  part.pictures.push_back(
      {"figure3", "Entities of Family in the space of their functions", to_svg(space)});
  part.verdict = fmt::format(
      "In the space of all {} functions a plane tells each of the {} roles from the others, with a "
      "balanced accuracy of at least {:.3f}; the three components of the picture hold {:.0f} % of "
      "the variance.",
      space.functions, space.roles.size(), least,
      100 * (space.variance[0] + space.variance[1] + space.variance[2]));
  part.tables.push_back(std::move(table));
  return part;
}

}  // namespace lerpp
