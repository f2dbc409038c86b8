// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <lerp/events/baseline.hpp>
#include <lerp/events/induce.hpp>
#include <lerp/events/train.hpp>

#include "paper/parts.hpp"
#include "paper/published.hpp"

namespace lerpp {
namespace {

constexpr std::size_t shown_equations = 10;
const std::vector<std::string> datasets = {"event-general", "event-ied"};

/// A model of how stories end.
struct EndingMethod {
  const char* name;
  const char* brief;
  const char* preset;
  std::vector<std::string> settings;
};

const std::vector<EndingMethod>& ending_methods() {
  static const std::vector<EndingMethod> all = {
      {"LERP", "functions", "paper", {}},
      {"LERP and plain evidence", "all", "default", {}},
      {"plain evidence alone", "plain", "default", {"width=0"}}};
  return all;
}

std::string name_of(const std::string& dataset, const std::string& brief, std::uint64_t seed) {
  return fmt::format("{}-{}-{}", dataset, brief, seed);
}

Json json_of(const EndingReport& report) {
  return {{"hits_at_1", report.raw.hits_at_1}, {"mrr_realistic", report.raw.mrr}};
}

Result<EventOptions> options_of(const Workshop& workshop, const EndingMethod& method,
                                std::uint64_t seed) {
  EventOptionRequest request;
  request.preset = method.preset;
  request.settings = method.settings;
  if (workshop.options().quick) request.settings.emplace_back("epochs=3");
  request.seed = seed;
  request.threads = workshop.options().threads;
  return resolve(request);
}

Measurement ending_measurement(Workshop& workshop, const std::string& dataset,
                               const EndingMethod& method, std::uint64_t seed) {
  Measurement one;
  one.name = name_of(dataset, method.brief, seed);
  one.key = fmt::format("{} {} {} {}", method.preset, fmt::join(method.settings, " "), seed,
                        workshop.options().quick ? "quick" : "");
  one.cost = 20;
  one.make = [&workshop, dataset, method, seed](const Observer& watcher) -> Result<Json> {
    LERP_TRY(options, options_of(workshop, method, seed));
    LERP_TRY(data, load_events(workshop.data(dataset), {}, watcher));
    LERP_TRY(learned, learn_endings(data, options, watcher));
    if (!learned.test)
      return fail("there are no test graphs", dataset, "take the dataset out of the folder");
    Json result = json_of(*learned.test);
    result["train_seconds"] = learned.trained.seconds;
    return result;
  };
  return one;
}

Measurement frequency_measurement(Workshop& workshop, const std::string& dataset) {
  Measurement one;
  one.name = name_of(dataset, "frequency", 1);
  one.key = "frequency";
  one.make = [&workshop, dataset](const Observer& watcher) -> Result<Json> {
    LERP_TRY(data, load_events(workshop.data(dataset), {}, watcher));
    LERP_TRY(cases, ending_cases(data, Split::test, Ending::reached));
    const auto scorer = make_event_baseline(EventBaseline::frequency, data, Ending::reached);
    return json_of(rank_endings(*scorer, cases, Ending::reached, data.names.event_types.size()));
  };
  return one;
}

Measurement induction_measurement(Workshop& workshop, const std::string& dataset) {
  Measurement one;
  one.name = name_of(dataset, "induce", 1);
  one.key = workshop.options().quick ? "quick" : "full";
  one.cost = 20;
  one.make = [&workshop, dataset](const Observer& watcher) -> Result<Json> {
    InduceOptions options;
    if (workshop.options().quick) options.epochs = 2;
    options.threads = workshop.options().threads;
    LERP_TRY(data, load_events(workshop.data(dataset), {}, watcher));
    LERP_TRY(induction, induce(data, options, watcher));
    const EquationNames names{induction.shape, induction.names};
    Json equations = Json::array();
    for (const InducedEquation& equation : induction.equations) {
      equations.push_back({{"equation", to_text(equation.equation, names)},
                           {"source", source_of(equation)},
                           {"confidence", equation.train.share()},
                           {"support", equation.train.holds},
                           {"held_out", equation.held_out.share()},
                           {"chance", equation.chance}});
    }
    return Json{{"learned", induction.learned()}, {"equations", std::move(equations)}};
  };
  return one;
}

/// Means over the seeds of one method.
Json ending_row(const Workshop& workshop, const std::string& dataset, const EndingMethod& method) {
  Json row = {
      {"item", "events"}, {"dataset", dataset}, {"method", method.name}, {"setting", "train"}};
  std::vector<double> hits;
  for (std::uint64_t seed = 1; seed <= workshop.seeds(); ++seed) {
    const Json& found = workshop.found(name_of(dataset, method.brief, seed));
    hits.push_back(found.at("hits_at_1"));
    for (const auto& [key, value] : found.items())
      row[key] = row.value(key, 0.0) + value.get<double>() / workshop.seeds();
  }
  const auto [least, most] = std::minmax_element(hits.begin(), hits.end());
  row["spread"] = *most - *least;
  row["seeds"] = workshop.seeds();
  return row;
}

std::vector<Json> rows_of(const Workshop& workshop, const std::string& dataset) {
  std::vector<Json> rows;
  for (const EndingMethod& method : ending_methods())
    rows.push_back(ending_row(workshop, dataset, method));
  Json frequency = workshop.found(name_of(dataset, "frequency", 1));
  frequency.update({{"item", "events"},
                    {"dataset", dataset},
                    {"method", "frequency"},
                    {"setting", "train"},
                    {"seeds", 1},
                    {"spread", 0}});
  rows.push_back(std::move(frequency));
  for (const PublishedEvents& published : published_events()) {
    if (published.dataset != dataset) continue;
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Json& one) {
      return one.at("method").get<std::string>() == published.method;
    });
    // A program that is not ours has published figures alone.
    if (row == rows.end()) {
      rows.push_back({{"item", "events"},
                      {"dataset", dataset},
                      {"method", published.method},
                      {"setting", "published"}});
      row = std::prev(rows.end());
    }
    (*row)["published_hits_at_1"] = published.hits_at_1;
    (*row)["published_mrr"] = published.mrr;
  }
  return rows;
}

PaperPart::Table ending_table(const std::vector<Json>& rows) {
  PaperPart::Table table;
  table.caption =
      "How stories end, test graphs: hits@1 and MRR over pairs of a graph and a gold type, means "
      "over the seeds; spread is that of hits@1";
  table.heads = {"dataset", "method",           "hits@1",       "spread",
                 "MRR",     "published hits@1", "published MRR"};
  for (const Json& row : rows) {
    const auto at = [&](const char* key) { return three(row.value(key, Json())); };
    table.rows.push_back({row.at("dataset"), row.at("method"), at("hits_at_1"), at("spread"),
                          at("mrr_realistic"), at("published_hits_at_1"), at("published_mrr")});
  }
  return table;
}

PaperPart::Table equation_table(const std::string& dataset, const Json& induction) {
  PaperPart::Table table;
  const Json& equations = induction.at("equations");
  table.caption = fmt::format("{}: equations, {} of {} read off a learned function; the first {}",
                              dataset, induction.at("learned").get<std::size_t>(), equations.size(),
                              std::min(shown_equations, equations.size()));
  table.heads = {"equation", "source", "confidence", "support", "held out", "chance"};
  for (const Json& one : equations) {
    if (table.rows.size() == shown_equations) break;
    table.rows.push_back({one.at("equation"), one.at("source"), three(one.at("confidence")),
                          std::to_string(one.at("support").get<std::size_t>()),
                          three(one.at("held_out")), three(one.at("chance"))});
  }
  return table;
}

/// "event-general: hits@1 0.682 (published 0.672; plain evidence 0.682, frequency 0.448)"
std::string verdict_of(const std::vector<Json>& rows) {
  std::string verdict;
  for (const std::string& dataset : datasets) {
    const auto hits = [&](const char* method, const char* key) -> std::string {
      for (const Json& row : rows) {
        if (row.at("dataset") == dataset && row.at("method") == method) return three(row.at(key));
      }
      return {};
    };
    const std::string ours = hits("LERP", "hits_at_1");
    if (ours.empty()) continue;
    verdict +=
        fmt::format("{}{} hits@1 {} (published {}; plain evidence alone {}, frequency alone {})",
                    verdict.empty() ? "" : "; ", dataset, ours, hits("LERP", "published_hits_at_1"),
                    hits("plain evidence alone", "hits_at_1"), hits("frequency", "hits_at_1"));
  }
  return verdict.empty() ? "Not made: neither dataset of event graphs is there."
                         : fmt::format("Functions and nothing else: {}.", verdict);
}

}  // namespace

Result<Measurements> plan_events(Workshop& workshop) {
  Measurements all;
  for (const std::string& dataset : datasets) {
    if (!workshop.has(dataset)) continue;
    for (const EndingMethod& method : ending_methods()) {
      for (std::uint64_t seed = 1; seed <= workshop.seeds(); ++seed)
        all.push_back(ending_measurement(workshop, dataset, method, seed));
    }
    all.push_back(frequency_measurement(workshop, dataset));
    all.push_back(induction_measurement(workshop, dataset));
  }
  return all;
}

Result<PaperPart> make_events(Workshop& workshop) {
  PaperPart part;
  for (const std::string& dataset : datasets) {
    if (!workshop.has(dataset)) continue;
    for (Json& row : rows_of(workshop, dataset)) part.rows.push_back(std::move(row));
  }
  part.verdict = verdict_of(part.rows);
  if (part.rows.empty()) return part;
  part.tables.push_back(ending_table(part.rows));
  for (const std::string& dataset : datasets) {
    if (!workshop.has(dataset)) continue;
    const Json& induction = workshop.found(name_of(dataset, "induce", 1));
    part.tables.push_back(equation_table(dataset, induction));
    part.rows.push_back({{"item", "events"},
                         {"dataset", dataset},
                         {"method", "induce"},
                         {"equations", induction.at("equations").size()},
                         {"learned", induction.at("learned")}});
  }
  part.notes = {
      "An ending event is one that something comes before and nothing after. The published "
      "definition is not known, so the published figures stand beside ours, not below them.",
      "Plain evidence is which types are there and how often: see docs/events.md.",
      "The functions that equations are read off start near patterns that were counted: learning "
      "ranks them. From a random start nothing can be read off them that passes the same test."};
  return part;
}

}  // namespace lerpp
