// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <lerp/base/chart.hpp>
#include <lerp/base/json.hpp>
#include <lerp/sweep/sweep.hpp>

namespace lerpp {
namespace {

/// The runs of one point over its seeds.
struct Mean {
  std::vector<double> mrr;
  double hits_at_1 = 0;
  double hits_at_10 = 0;
  double train_seconds = 0;

  void add(const SweepRun& run) {
    mrr.push_back(run.mrr);
    const double share = 1 / static_cast<double>(mrr.size());
    hits_at_1 += share * (run.hits_at_1 - hits_at_1);
    hits_at_10 += share * (run.hits_at_10 - hits_at_10);
    train_seconds += share * (run.train_seconds - train_seconds);
  }
  double middle() const {
    double sum = 0;
    for (const double value : mrr) sum += value;
    return sum / static_cast<double>(mrr.size());
  }
  double low() const { return *std::min_element(mrr.begin(), mrr.end()); }
  double high() const { return *std::max_element(mrr.begin(), mrr.end()); }
};

struct GridPoint {
  std::vector<std::string> values;
  std::optional<Mean> own, drum;
};

/// Points in the order of the grid.
std::vector<GridPoint> points_of(const Sweep& sweep) {
  std::vector<GridPoint> points;
  for (const SweepRun& run : sweep.runs) {
    if (points.empty() || points.back().values != run.values)
      points.push_back({run.values, {}, {}});
    std::optional<Mean>& mean = run.drum ? points.back().drum : points.back().own;
    if (!mean) mean.emplace();
    mean->add(run);
  }
  return points;
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// "depth" of "functions.depth"; "rules" of "rules.count".
std::string short_name(const std::string& name) {
  if (name == "rules.count") return "rules";
  return name.substr(name.find('.') + 1);
}

const char* split_words(const Sweep& sweep) {
  return sweep.split == "test" ? "test" : "validation";
}

std::string mean_text(const std::optional<Mean>& mean) {
  if (!mean) return "";
  if (mean->mrr.size() == 1) return fmt::format("{:.3f}", mean->middle());
  return fmt::format("{:.3f} ±{:.3f}", mean->middle(), (mean->high() - mean->low()) / 2);
}

/// What series a point belongs to: the values of all axes but the first.
std::string series_name(const Sweep& sweep, const GridPoint& point) {
  std::string name;
  for (std::size_t i = 1; i < sweep.axes.size(); ++i) {
    name += fmt::format("{}{} {}", name.empty() ? "" : ", ", short_name(sweep.axes[i].name),
                        point.values[i]);
  }
  return name;
}

}  // namespace

bool is_geometric(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& value : values) {
    const std::optional<double> number = number_of(value);
    if (!number || *number <= 0) return false;
    numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.size() < 3 || numbers.back() < 4 * numbers.front()) return false;
  // Equal steps would fill a plain axis evenly; so would equal factors a logarithmic one.
  const auto spread = [&](const auto& distance) {
    double least = distance(1), most = least;
    for (std::size_t i = 2; i < numbers.size(); ++i) {
      least = std::min(least, distance(i));
      most = std::max(most, distance(i));
    }
    return most / least;
  };
  return spread([&](std::size_t i) { return std::log(numbers[i] / numbers[i - 1]); }) <
         spread([&](std::size_t i) { return numbers[i] - numbers[i - 1]; });
}

Json to_json(const Sweep& sweep) {
  Json json = {{"dataset", sweep.dataset},   {"fingerprint", sweep.fingerprint},
               {"preset", sweep.preset},     {"split", sweep.split},
               {"settings", sweep.settings}, {"planned", sweep.planned}};
  json["over"] = Json::array();
  for (const SweepAxis& axis : sweep.axes)
    json["over"].push_back({{"name", axis.name}, {"values", axis.values}});
  json["runs"] = Json::array();
  for (const SweepRun& run : sweep.runs) {
    json["runs"].push_back({{"values", run.values},
                            {"drum", run.drum},
                            {"seed", run.seed},
                            {"mrr", run.mrr},
                            {"mrr_optimistic", run.mrr_optimistic},
                            {"mrr_pessimistic", run.mrr_pessimistic},
                            {"hits_at_1", run.hits_at_1},
                            {"hits_at_10", run.hits_at_10},
                            {"train_seconds", run.train_seconds},
                            {"parameters", run.parameters}});
  }
  return json;
}

Result<Sweep> sweep_of(const Json& json) {
  try {
    Sweep sweep;
    sweep.dataset = json.at("dataset").get<std::string>();
    sweep.fingerprint = json.at("fingerprint").get<std::string>();
    sweep.preset = json.at("preset").get<std::string>();
    sweep.split = json.value("split", "test");  // as it was before there was a choice
    sweep.settings = json.at("settings").get<std::vector<std::string>>();
    sweep.planned = json.at("planned").get<std::size_t>();
    for (const Json& axis : json.at("over")) {
      sweep.axes.push_back(
          {axis.at("name").get<std::string>(), axis.at("values").get<std::vector<std::string>>()});
    }
    for (const Json& entry : json.at("runs")) {
      SweepRun run;
      run.values = entry.at("values").get<std::vector<std::string>>();
      run.drum = entry.at("drum").get<bool>();
      run.seed = entry.at("seed").get<std::uint64_t>();
      run.mrr = entry.at("mrr").get<double>();
      run.mrr_optimistic = entry.at("mrr_optimistic").get<double>();
      run.mrr_pessimistic = entry.at("mrr_pessimistic").get<double>();
      run.hits_at_1 = entry.at("hits_at_1").get<double>();
      run.hits_at_10 = entry.at("hits_at_10").get<double>();
      run.train_seconds = entry.at("train_seconds").get<double>();
      run.parameters = entry.at("parameters").get<std::uint64_t>();
      sweep.runs.push_back(std::move(run));
    }
    return sweep;
  } catch (const Json::exception&) {
    return fail("this is not the result of a sweep", "", "give a file that lerp sweep has written");
  }
}

std::string to_text(const Sweep& sweep, const SweepRun& run) {
  std::string text;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i)
    text += fmt::format("{}={} ", short_name(sweep.axes[i].name), run.values[i]);
  return fmt::format("{}{}seed {}: MRR {:.3f} (optimistic {:.3f}), {:.1f} s", text,
                     run.drum ? "DRUM " : "", run.seed, run.mrr, run.mrr_optimistic,
                     run.train_seconds);
}

std::string to_text(const Sweep& sweep) {
  std::string text =
      fmt::format("{}, preset {}, {} of {} runs, {} facts\n", sweep.dataset, sweep.preset,
                  sweep.runs.size(), sweep.planned, split_words(sweep));
  for (const SweepAxis& axis : sweep.axes) text += fmt::format("{:>10}", short_name(axis.name));
  text += fmt::format("{:>16}{:>9}{:>9}{:>10}{:>16}\n", "MRR", "hits@1", "hits@10", "seconds",
                      "DRUM's MRR");
  for (const GridPoint& point : points_of(sweep)) {
    for (const std::string& value : point.values) text += fmt::format("{:>10}", value);
    const Mean own = point.own.value_or(Mean{});
    text += fmt::format("{:>16}{:>9.3f}{:>9.3f}{:>10.1f}{:>16}\n", mean_text(point.own),
                        own.hits_at_1, own.hits_at_10, own.train_seconds, mean_text(point.drum));
  }
  text.pop_back();  // whoever prints it ends the last line
  return text;
}

std::string to_svg(const Sweep& sweep) {
  const SweepAxis& across = sweep.axes.front();
  Chart chart;
  chart.title = fmt::format("{}: MRR on the {} facts", sweep.dataset, split_words(sweep));
  chart.x.title = short_name(across.name);
  chart.y.title = "MRR, realistic";
  const bool numbers = std::all_of(across.values.begin(), across.values.end(),
                                   [](const std::string& value) { return number_of(value); });
  const auto place = [&](const std::string& value) {
    if (numbers) return *number_of(value);
    const auto found = std::find(across.values.begin(), across.values.end(), value);
    return static_cast<double>(found - across.values.begin());
  };
  chart.x.logarithmic = is_geometric(across.values);
  for (const std::string& value : across.values) chart.x.ticks.push_back({place(value), value});

  std::map<std::pair<std::string, bool>, std::size_t> series;
  const auto add = [&](const GridPoint& point, const std::optional<Mean>& mean, bool drum) {
    if (!mean) return;
    const std::string rest = series_name(sweep, point);
    const auto [entry, fresh] = series.try_emplace({rest, drum}, chart.series.size());
    if (fresh) {
      const std::string kind = drum ? "no functions (DRUM)" : "with functions";
      chart.series.push_back({rest.empty() ? kind : fmt::format("{}, {}", kind, rest), {}, drum});
    }
    ChartPoint at{place(point.values.front()), mean->middle(), {}, {}};
    if (mean->mrr.size() > 1) at.low = mean->low(), at.high = mean->high();
    chart.series[entry->second].points.push_back(at);
  };
  for (const GridPoint& point : points_of(sweep)) {
    add(point, point.own, false);
    add(point, point.drum, true);
  }
  for (Series& one : chart.series) {
    std::stable_sort(one.points.begin(), one.points.end(),
                     [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  }
  return to_svg(chart);
}

}  // namespace lerpp
