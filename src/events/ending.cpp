// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/parallel.hpp>
#include <lerp/base/text.hpp>
#include <lerp/events/ending.hpp>

namespace lerpp {
namespace {

/// What one graph adds to the report.
struct CaseResult {
  EndingMetrics raw;  ///< sums over the gold types
  EndingMetrics filtered;
  EndingMetrics ceiling;
  std::size_t unseen = 0;
};

/// How many types stand before one, ties by half, and of those how many are gold themselves.
struct CaseRank {
  double all = 1;
  double filtered = 1;
};

CaseRank rank_of(LabelId type, std::span<const double> scores, const std::vector<bool>& gold) {
  CaseRank rank;
  for (LabelId other = 0; other < scores.size(); ++other) {
    if (other == type) continue;
    const double before = scores[other] > scores[type]    ? 1
                          : scores[other] == scores[type] ? 0.5
                                                          : 0;
    rank.all += before;
    if (!gold[other]) rank.filtered += before;
  }
  return rank;
}

CaseResult judge(const EndingCase& item, std::span<const double> scores) {
  CaseResult result;
  std::vector<bool> gold(scores.size());
  for (const LabelId type : item.gold) gold[type] = true;
  // Where several types share the first place, each of them is the best-ranked one as often.
  const double best = *std::max_element(scores.begin(), scores.end());
  double first = 0;
  double first_gold = 0;
  for (LabelId type = 0; type < scores.size(); ++type) {
    if (scores[type] != best) continue;
    ++first;
    if (gold[type]) ++first_gold;
  }
  result.raw.hits_at_1 = first_gold / first;
  result.ceiling.hits_at_1 = 1;
  for (std::size_t i = 0; i < item.gold.size(); ++i) {
    const LabelId type = item.gold[i];
    if (scores[type] == -std::numeric_limits<double>::infinity()) ++result.unseen;
    const CaseRank rank = rank_of(type, scores, gold);
    result.raw.mrr += 1 / rank.all;
    result.filtered.mrr += 1 / rank.filtered;
    result.filtered.hits_at_1 += rank.filtered == 1 ? 1 : 0;
    result.ceiling.mrr += 1 / static_cast<double>(i + 1);
  }
  return result;
}

Json to_json(const EndingMetrics& metrics) {
  return {{"hits_at_1", metrics.hits_at_1},
          {"mrr", metrics.mrr},
          {"mrr_by_graph", metrics.mrr_by_graph}};
}

}  // namespace

Result<Ending> ending_named(std::string_view name) {
  if (name == "reached") return Ending::reached;
  if (name == "unfollowed") return Ending::unfollowed;
  return fail_unknown("way of ending", name, "choose one of reached, unfollowed");
}

std::string_view name_of(Ending ending) {
  return ending == Ending::reached ? "reached" : "unfollowed";
}

EndingCases ending_cases(const std::vector<EventGraph>& graphs, Ending ending) {
  EndingCases result;
  for (const EventGraph& graph : graphs) {
    if (graph.order.empty()) {
      ++result.without_order;
      continue;
    }
    std::vector<bool> precedes(graph.events.size());
    std::vector<bool> follows(graph.events.size());
    for (const EventOrder& order : graph.order) {
      precedes[order.before] = true;
      follows[order.after] = true;
    }
    EndingCase item;
    std::vector<bool> kept(graph.events.size(), true);
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
      if (precedes[i] || (ending == Ending::reached && !follows[i])) continue;
      kept[i] = false;
      item.gold.push_back(graph.events[i]);
    }
    if (item.gold.empty()) {
      ++result.without_ending;
      continue;
    }
    std::sort(item.gold.begin(), item.gold.end());
    item.gold.erase(std::unique(item.gold.begin(), item.gold.end()), item.gold.end());
    item.context = keep_events(graph, kept);
    result.cases.push_back(std::move(item));
  }
  return result;
}

Result<EndingCases> ending_cases(const EventData& data, Split split, Ending ending) {
  EndingCases cases = ending_cases(data[split], ending);
  if (!cases.cases.empty()) return cases;
  return fail(fmt::format("no graph of the {} split has an ending event", name_of(split)),
              data.source, "give graphs whose 'order' is not empty, or choose another --split");
}

std::string definition(Ending ending) {
  return fmt::format(
      "ending event: nothing comes after it in the order{}; its type is gold, and it is taken out "
      "of the graph\n"
      "hits@1: share of graphs whose best-ranked type is gold; MRR: mean of 1/rank over all pairs "
      "of a graph and a gold type,\n"
      "by graph: mean over a graph's gold types, then over graphs; filtered: the graph's other "
      "gold types are dropped first; equal scores share a rank",
      ending == Ending::reached ? ", and something does before it" : "");
}

EndingReport rank_endings(const EndingScorer& scorer, const EndingCases& cases, Ending ending,
                          LabelId event_types, unsigned threads) {
  std::vector<CaseResult> results(cases.cases.size());
  run_blocks(results.size(), 1, worker_count(threads),
             [&](unsigned, std::size_t first, std::size_t last) {
               std::vector<double> scores(event_types);
               for (std::size_t i = first; i < last; ++i) {
                 scorer.score(cases.cases[i].context, scores);
                 for (double& score : scores) {  // what is not a number ranks last
                   if (std::isnan(score)) score = -std::numeric_limits<double>::infinity();
                 }
                 results[i] = judge(cases.cases[i], scores);
               }
             });
  EndingReport report;
  report.ending = ending;
  report.graphs = results.size();
  report.without_order = cases.without_order;
  report.without_ending = cases.without_ending;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto gold = static_cast<double>(cases.cases[i].gold.size());
    report.gold += cases.cases[i].gold.size();
    report.unseen += results[i].unseen;
    const auto add = [&](EndingMetrics& sum, const EndingMetrics& part) {
      sum.hits_at_1 += part.hits_at_1;
      sum.mrr += part.mrr;
      sum.mrr_by_graph += part.mrr / gold;
    };
    add(report.raw, results[i].raw);
    add(report.filtered, results[i].filtered);
    add(report.ceiling, results[i].ceiling);
  }
  if (results.empty()) return report;
  const auto graphs = static_cast<double>(report.graphs);
  const auto gold = static_cast<double>(report.gold);
  for (EndingMetrics* metrics : {&report.raw, &report.filtered, &report.ceiling}) {
    // Filtered, each gold type is a question of its own.
    metrics->hits_at_1 /= metrics == &report.filtered ? gold : graphs;
    metrics->mrr /= gold;
    metrics->mrr_by_graph /= graphs;
  }
  return report;
}

Json to_json(const EndingReport& report) {
  return {{"dataset", report.data},
          {"split", report.split},
          {"model", report.model},
          {"ending", name_of(report.ending)},
          {"definition", definition(report.ending)},
          {"graphs", report.graphs},
          {"gold", report.gold},
          {"unseen", report.unseen},
          {"without_order", report.without_order},
          {"without_ending", report.without_ending},
          {"raw", to_json(report.raw)},
          {"filtered", to_json(report.filtered)},
          {"ceiling", to_json(report.ceiling)}};
}

std::string to_text(const EndingReport& report) {
  std::string text = fmt::format(
      "{} {}: {} graphs, {} gold types, {} of them never seen; left out: {} without order, {} "
      "without an ending\n",
      report.data, report.split, thousands(report.graphs), thousands(report.gold),
      thousands(report.unseen), thousands(report.without_order), thousands(report.without_ending));
  text += fmt::format("{:<12} {:>8} {:>8} {:>14}\n", report.model, "hits@1", "MRR", "MRR by graph");
  const auto row = [&](const char* name, const EndingMetrics& metrics) {
    text += fmt::format("{:<12} {:>8.3f} {:>8.3f} {:>14.3f}\n", name, metrics.hits_at_1,
                        metrics.mrr, metrics.mrr_by_graph);
  };
  row("raw", report.raw);
  row("filtered", report.filtered);
  row("ceiling, raw", report.ceiling);
  return text + definition(report.ending);
}

}  // namespace lerpp
