#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/kg/fingerprint.hpp>
#include <lerp/sweep/sweep.hpp>

#include "paper/parts.hpp"

namespace lerpp {
namespace {

/// One of the figures 4a to 4c: MRR over one size of the model, on three datasets.
struct SizeFigure {
  const char* item;
  const char* what;
  const char* over;   ///< as `lerp sweep --over` takes it
  const char* quick;  ///< and with --quick
};

constexpr SizeFigure figure4a = {"figure4a", "depth of the functions", "depth=0,1,2,3,4",
                                 "depth=0,2"};
constexpr SizeFigure figure4b = {"figure4b", "number of functions", "width=5,10,20,40,80",
                                 "width=4,8"};
constexpr SizeFigure figure4c = {"figure4c", "length of the rules", "length=1,2,3,4", "length=1,2"};

const std::vector<std::string> datasets = {"family", "kinship", "umls"};

std::string name_of(const SizeFigure& figure, const std::string& dataset) {
  return fmt::format("{}-{}", figure.item, dataset);
}

std::vector<std::string> settings_of(const Workshop& workshop) {
  if (!workshop.options().quick) return {};
  return {"rules.count=8", "functions.width=12", "train.epochs=2", "train.queries=200"};
}

std::optional<Sweep> earlier_sweep(const std::filesystem::path& path) {
  const Result<FileBytes> bytes = read_file(path);
  if (!bytes) return {};
  Result<Sweep> sweep = sweep_of(Json::parse(bytes->view(), nullptr, false));
  if (!sweep) return {};
  return std::move(*sweep);
}

Result<Measurements> plan(Workshop& workshop, const SizeFigure& figure) {
  Measurements all;
  for (const std::string& name : datasets) {
    if (!workshop.has(name)) continue;
    LERP_TRY(data, workshop.dataset(name));
    LERP_TRY(axis, parse_axis(workshop.options().quick ? figure.quick : figure.over));
    SweepOptions options;
    options.seeds = workshop.seeds();
    options.split = "test";
    options.threads = workshop.options().threads;
    Measurement one;
    one.name = name_of(figure, name);
    one.key = fmt::format("{} {} {}", fingerprint(*data), figure.over, options.seeds);
    if (workshop.options().quick) one.key += " quick";
    one.cost = 60.0 * static_cast<double>(axis.values.size()) * options.seeds;
    one.make = [&workshop, data, axis, options,
                so_far = workshop.scratch(one.name)](const Observer& watcher) -> Result<Json> {
      // Its runs are kept one by one.
      const std::optional<Sweep> earlier = earlier_sweep(so_far);
      SweepHooks hooks;
      hooks.earlier = earlier ? &*earlier : nullptr;
      hooks.run = [&](const Sweep& sweep) { return write_file(so_far, to_json(sweep).dump()); };
      LERP_TRY(result, sweep(*data, {axis}, options, settings_of(workshop), watcher, hooks));
      return to_json(result);
    };
    all.push_back(std::move(one));
  }
  return all;
}

/// Whether the curve of a dataset ends above where it began, by means over the seeds.
struct Ends {
  double first = 0;
  double last = 0;
  double drum = 0;  ///< at the last point
};

Ends ends_of(const Sweep& sweep) {
  Ends ends;
  const auto& values = sweep.axes.front().values;
  double seeds = 0;
  for (const SweepRun& run : sweep.runs) {
    if (run.values.front() == values.front() && !run.drum) ++seeds;
  }
  for (const SweepRun& run : sweep.runs) {
    if (run.values.front() == values.front() && !run.drum) ends.first += run.mrr / seeds;
    if (run.values.front() == values.back()) (run.drum ? ends.drum : ends.last) += run.mrr / seeds;
  }
  return ends;
}

Result<PaperPart> make(Workshop& workshop, const SizeFigure& figure) {
  PaperPart part;
  std::string seen;
  for (const std::string& name : datasets) {
    if (!workshop.has(name)) continue;
    LERP_TRY(sweep, sweep_of(workshop.found(name_of(figure, name))));
    const Ends ends = ends_of(sweep);
    seen += fmt::format("{}{} {:.3f} to {:.3f} (DRUM {:.3f})", seen.empty() ? "" : ", ", name,
                        ends.first, ends.last, ends.drum);
    PaperPart::Table table;
    table.caption = fmt::format("{}: MRR over the {}", name, figure.what);
    table.heads = {sweep.axes.front().name, "method", "seed", "MRR", "hits@1", "train seconds"};
    for (const SweepRun& run : sweep.runs) {
      const char* method = run.drum ? "DRUM" : "LERP";
      table.rows.push_back({run.values.front(), method, std::to_string(run.seed), three(run.mrr),
                            three(run.hits_at_1), fmt::format("{:.1f}", run.train_seconds)});
      part.rows.push_back({{"item", figure.item},
                           {"dataset", name},
                           {"method", method},
                           {"setting", "train"},
                           {sweep.axes.front().name, run.values.front()},
                           {"seed", run.seed},
                           {"mrr_realistic", run.mrr},
                           {"mrr_optimistic", run.mrr_optimistic},
                           {"hits_at_1", run.hits_at_1},
                           {"hits_at_10", run.hits_at_10},
                           {"parameters", run.parameters},
                           {"train_seconds", run.train_seconds}});
    }
    part.tables.push_back(std::move(table));
    part.pictures.push_back({fmt::format("{}-{}", figure.item, name),
                             fmt::format("{}: MRR over the {}", name, figure.what), to_svg(sweep)});
  }
  part.verdict = seen.empty() ? "Not made: none of the datasets is there."
                              : fmt::format("MRR from the least to the most: {}.", seen);
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
