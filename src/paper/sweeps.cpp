// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/sweep/sweep.hpp>

#include "paper/parts.hpp"

namespace lerpp {
namespace {

/// One of the figures 4a to 4c: MRR over one size of the model, on three datasets, with DRUM beside
/// it. What the tables have trained is not trained again.
struct SizeFigure {
  const char* item;
  const char* what;
  const char* option;
  std::vector<std::uint32_t> values;
  std::uint32_t usual;  ///< the preset's value
  bool drum_has_it;     ///< whether a model without functions has this size too
};

const SizeFigure figure4a = {
    "figure4a", "depth of the functions", "functions.depth", {0, 1, 2, 3}, 2, false};
const SizeFigure figure4b = {
    "figure4b", "number of functions", "functions.width", {5, 10, 20, 40, 80}, 80, false};
const SizeFigure figure4c = {"figure4c", "length of the rules", "rules.length", {1, 2, 3, 4}, 3,
                             true};

const std::vector<std::string> datasets = {"family", "kinship", "umls"};

/// With --quick, the first and the usual.
std::vector<std::uint32_t> values_of(const Workshop& workshop, const SizeFigure& figure) {
  if (!workshop.options().quick) return figure.values;
  return {figure.values.front(), figure.usual};
}

SeedTrainings trainings_of(const Workshop& workshop, const SizeFigure& figure,
                           const std::string& dataset, std::uint32_t value, bool drum) {
  const bool no_functions = drum || (figure.option == figure4a.option && value == 0);
  Method method = no_functions ? drum_method() : lerp_method();
  // With --quick the sizes of the tables are not the preset's.
  const bool usual =
      (value == figure.usual && !workshop.options().quick) || (no_functions && !figure.drum_has_it);
  if (usual) return [=](std::uint64_t seed) { return training_of(dataset, method, false, seed); };
  const std::string brief = fmt::format("{}-{}-{}", method.brief, figure.item, value);
  method.settings.push_back(fmt::format("{}={}", figure.option, value));
  return [=](std::uint64_t seed) {
    Workshop::Training training = training_of(dataset, method, false, seed);
    training.name = fmt::format("{}-{}-train-{}", dataset, brief, seed);
    return training;
  };
}

Result<Measurements> plan(Workshop& workshop, const SizeFigure& figure) {
  Measurements all;
  for (const std::string& name : datasets) {
    if (!workshop.has(name)) continue;
    for (const std::uint32_t value : values_of(workshop, figure)) {
      for (const bool drum : {false, true})
        LERP_CHECK(plan_seeds(workshop, trainings_of(workshop, figure, name, value, drum), all));
    }
  }
  return all;
}

/// What was measured, as a sweep would have found it: for its picture.
Sweep sweep_of(const Workshop& workshop, const SizeFigure& figure, const std::string& dataset) {
  Sweep sweep;
  sweep.dataset = dataset;
  sweep.preset = "paper";
  sweep.split = "test";
  sweep.axes = {{figure.option, {}}};
  for (const std::uint32_t value : values_of(workshop, figure)) {
    sweep.axes.front().values.push_back(std::to_string(value));
    for (const bool drum : {false, true}) {
      const SeedTrainings trainings = trainings_of(workshop, figure, dataset, value, drum);
      for (std::uint64_t seed = 1; seed <= workshop.seeds(); ++seed) {
        const Json& found = workshop.found(trainings(seed).name);
        SweepRun run;
        run.values = {std::to_string(value)};
        run.drum = drum;
        run.seed = seed;
        run.mrr = found.at("mrr_realistic");
        run.mrr_optimistic = found.at("mrr_optimistic");
        run.mrr_pessimistic = found.at("mrr_pessimistic");
        sweep.runs.push_back(std::move(run));
      }
    }
  }
  sweep.planned = sweep.runs.size();
  return sweep;
}

/// The rows of one dataset, as table and for paper.json.
PaperPart::Table table_of(const Workshop& workshop, const SizeFigure& figure,
                          const std::string& dataset, std::vector<Json>& rows) {
  PaperPart::Table table;
  table.caption = fmt::format("{}: test MRR over the {}", dataset, figure.what);
  table.heads = {figure.what,  "method",     "MRR",          "spread",
                 "optimistic", "parameters", "train seconds"};
  for (const std::uint32_t value : values_of(workshop, figure)) {
    for (const bool drum : {false, true}) {
      // A model without functions is the same whatever their size: one row.
      const bool sized = !drum || figure.drum_has_it;
      if (!sized && value != figure.values.front()) continue;
      Json row = mean_over_seeds(workshop, trainings_of(workshop, figure, dataset, value, drum));
      row["item"] = figure.item;
      row["dataset"] = dataset;
      row["method"] = drum ? "DRUM" : "LERP";
      row["setting"] = "train";
      row["option"] = figure.option;
      row["value"] = sized ? Json(value) : Json();
      table.rows.push_back({sized ? std::to_string(value) : "–", row["method"],
                            three(row["mrr_realistic"]), three(row["spread"]),
                            three(row["mrr_optimistic"]),
                            fmt::format("{:.0f}", row["parameters"].get<double>()),
                            fmt::format("{:.1f}", row["train_seconds"].get<double>())});
      rows.push_back(std::move(row));
    }
  }
  return table;
}

/// "family 0.841 at 1, 0.950 at 4, best 0.962 at 2 (DRUM at most 0.952; spread of the seeds 0.010)"
std::string curve_of(const std::vector<Json>& rows, const std::string& dataset) {
  struct Point {
    std::uint32_t value;
    double mrr;
  };
  std::vector<Point> curve;
  double spread = 0;
  double drum = 0;
  for (const Json& row : rows) {
    if (row.at("dataset") != dataset) continue;
    const double mrr = row.at("mrr_realistic");
    if (row.at("method") == "DRUM") {
      drum = std::max(drum, mrr);
    } else {
      curve.push_back({row.at("value"), mrr});
      spread = std::max(spread, row.at("spread").get<double>());
    }
  }
  const Point& best = *std::max_element(
      curve.begin(), curve.end(), [](const Point& a, const Point& b) { return a.mrr < b.mrr; });
  return fmt::format(
      "{} {:.3f} at {}, {:.3f} at {}, best {:.3f} at {} (DRUM at most {:.3f}; spread of the seeds "
      "up to {:.3f})",
      dataset, curve.front().mrr, curve.front().value, curve.back().mrr, curve.back().value,
      best.mrr, best.value, drum, spread);
}

Result<PaperPart> make(Workshop& workshop, const SizeFigure& figure) {
  PaperPart part;
  std::string curves;
  for (const std::string& name : datasets) {
    if (!workshop.has(name)) continue;
    part.tables.push_back(table_of(workshop, figure, name, part.rows));
    curves += fmt::format("{}{}", curves.empty() ? "" : "; ", curve_of(part.rows, name));
    part.pictures.push_back({fmt::format("{}-{}", figure.item, name),
                             fmt::format("{}: MRR over the {}", name, figure.what),
                             to_svg(sweep_of(workshop, figure, name))});
  }
  part.verdict = curves.empty() ? "Not made: none of the datasets is there."
                                : fmt::format("Test MRR over the {}: {}.", figure.what, curves);
  return part;
}

}  // namespace

Result<Measurements> plan_figure4a(Workshop& workshop) {
  return plan(workshop, figure4a);
}
Result<PaperPart> make_figure4a(Workshop& workshop) {
  return make(workshop, figure4a);
}
Result<Measurements> plan_figure4b(Workshop& workshop) {
  return plan(workshop, figure4b);
}
Result<PaperPart> make_figure4b(Workshop& workshop) {
  return make(workshop, figure4b);
}
Result<Measurements> plan_figure4c(Workshop& workshop) {
  return plan(workshop, figure4c);
}
Result<PaperPart> make_figure4c(Workshop& workshop) {
  return make(workshop, figure4c);
}

}  // namespace lerpp
