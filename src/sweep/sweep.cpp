// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <lerp/base/options_json.hpp>
#include <lerp/kg/fingerprint.hpp>
#include <lerp/sweep/sweep.hpp>
#include <lerp/train/run.hpp>

namespace lerpp {
namespace {

constexpr std::string_view depth = "functions.depth";
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> short_names = {
    {{"depth", depth},
     {"width", "functions.width"},
     {"rules", "rules.count"},
     {"length", "rules.length"}}};

/// Every combination of the axes' values, the last axis fastest.
std::vector<std::vector<std::string>> grid(const std::vector<SweepAxis>& axes) {
  std::vector<std::vector<std::string>> points = {{}};
  for (const SweepAxis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& point : points) {
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

/// Trainings in the order of the grid, for one call.
class Sweeper {
 public:
  Sweeper(const Dataset& dataset, const SweepOptions& options, const Observer& observer,
          const SweepHooks& hooks, Sweep sweep)
      : dataset_(dataset),
        options_(options),
        observer_(observer),
        hooks_(hooks),
        sweep_(std::move(sweep)) {}

  /// Lists what is to be trained; wrong options are found here, before anything is.
  Result<void> plan() {
    if (dataset_[split()].empty()) {
      return split() == Split::valid
                 ? fail("there are no validation facts to rank", dataset_.name,
                        "hold some out, or rank the test facts with --split test")
                 : fail("there are no test facts to rank", dataset_.name,
                        "leave --split out: validation facts are ranked then");
    }
    for (const std::vector<std::string>& values : grid(sweep_.axes)) {
      for (const bool drum : {false, true}) {
        if (drum && options_.alone) continue;
        for (std::uint64_t seed = 1; seed <= options_.seeds; ++seed) {
          SweepRun run;
          run.values = values;
          run.drum = drum;
          run.seed = seed;
          LERP_TRY(train_options, options_of(run));
          if (is_known(split(), known_splits(*train_options))) {
            return fail("the facts to rank are learned from", "train.on_valid",
                        "rank the test facts with --split test", ErrorKind::usage);
          }
          planned_.emplace_back(std::move(run), std::move(train_options));
        }
      }
    }
    sweep_.planned = planned_.size();
    return {};
  }

  Result<Sweep> train_all() {
    std::map<std::string, SweepRun> trained;
    for (auto& [planned, train_options] : planned_) {
      const std::string model = options_to_json(*train_options).dump();
      if (const SweepRun* earlier = find_earlier(planned)) trained.emplace(model, *earlier);
      if (!trained.contains(model)) {
        LERP_CHECK(measure(train_options, planned));
        trained.emplace(model, planned);
      }
      SweepRun run = trained.at(model);
      run.values = planned.values;
      run.drum = planned.drum;
      sweep_.runs.push_back(std::move(run));
      if (hooks_.run) LERP_CHECK(hooks_.run(sweep_));
    }
    return std::move(sweep_);
  }

 private:
  Split split() const { return sweep_.split == "test" ? Split::test : Split::valid; }

  Result<ResolvedOptions> options_of(const SweepRun& run) const {
    LERP_TRY(options, preset(options_.preset, dataset_));
    for (const std::string& setting : sweep_.settings) LERP_CHECK(set_option(options, setting));
    for (std::size_t i = 0; i < sweep_.axes.size(); ++i)
      LERP_CHECK(set_option(options, sweep_.axes[i].name, run.values[i]));
    options.train.seed = run.seed;
    options.train.threads = options_.threads;
    if (run.drum) options.functions.depth = 0;
    // Without columns there is no width either: the same model, whatever the width.
    if (options.functions.depth == 0) options.functions.width = 1;
    return resolve(dataset_, std::move(options));
  }

  /// Whether the runs of another sweep are those of this one, where their values are.
  bool is_alike(const Sweep& other) const {
    const auto same_name = [](const SweepAxis& a, const SweepAxis& b) { return a.name == b.name; };
    return other.fingerprint == sweep_.fingerprint && other.preset == sweep_.preset &&
           other.split == sweep_.split && other.settings == sweep_.settings &&
           std::equal(other.axes.begin(), other.axes.end(), sweep_.axes.begin(), sweep_.axes.end(),
                      same_name);
  }

  const SweepRun* find_earlier(const SweepRun& wanted) const {
    const Sweep* earlier = hooks_.earlier;
    if (earlier == nullptr || !is_alike(*earlier)) return nullptr;
    for (const SweepRun& run : earlier->runs) {
      if (run.values == wanted.values && run.drum == wanted.drum && run.seed == wanted.seed)
        return &run;
    }
    return nullptr;
  }

  Result<void> measure(const ResolvedOptions& train_options, SweepRun& run) const {
    LERP_TRY(trained, train(dataset_, train_options, observer_));
    RankingOptions ranking;
    ranking.threads = options_.threads;
    ranking.split = split();
    LERP_TRY(report, evaluate(trained.model,
                              KnownGraph(dataset_, known_splits(*train_options), options_.threads),
                              ranking, observer_));
    run.mrr = report.both.realistic.mrr;
    run.mrr_optimistic = report.both.optimistic.mrr;
    run.mrr_pessimistic = report.both.pessimistic.mrr;
    run.hits_at_1 = report.both.realistic.hits_at_1;
    run.hits_at_10 = report.both.realistic.hits_at_10;
    run.train_seconds = trained.seconds;
    run.parameters = trained.model.parameters.values().size();
    return {};
  }

  const Dataset& dataset_;
  const SweepOptions& options_;
  const Observer& observer_;
  const SweepHooks& hooks_;
  Sweep sweep_;
  std::vector<std::pair<SweepRun, ResolvedOptions>> planned_;
};

}  // namespace

Result<SweepAxis> parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  SweepAxis axis;
  if (equals != std::string_view::npos) {
    axis.name = text.substr(0, equals);
    std::string_view rest = text.substr(equals + 1);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) axis.values.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  if (axis.values.empty()) {
    return fail(fmt::format("'{}' gives no values", text), "", "write name=value,value,...",
                ErrorKind::usage);
  }
  for (const auto& [brief, full] : short_names) {
    if (axis.name == brief) axis.name = full;
  }
  return axis;
}

Result<Sweep> sweep(const Dataset& dataset, const std::vector<SweepAxis>& axes,
                    const SweepOptions& options, const std::vector<std::string>& settings,
                    const Observer& observer, const SweepHooks& hooks) {
  Sweep start;
  start.dataset = dataset.name;
  start.fingerprint = fingerprint(dataset);
  start.preset = options.preset;
  start.split = options.split;
  start.settings = settings;
  start.axes = axes;
  Sweeper sweeper(dataset, options, observer, hooks, std::move(start));
  LERP_CHECK(sweeper.plan());
  return sweeper.train_all();
}

}  // namespace lerpp
