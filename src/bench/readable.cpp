// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include <lerp/base/chart.hpp>
#include <lerp/base/json.hpp>
#include <lerp/bench/readable.hpp>
#include <lerp/distill/distill.hpp>
#include <lerp/eval/answer_ranks.hpp>
#include <lerp/explain/explain.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/logic/rule_body.hpp>
#include <lerp/model/model.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Questions that were answered first and alone, evenly spread over all of them.
std::vector<AnswerRank> answered_first(const std::vector<AnswerRank>& answers, std::size_t most) {
  std::vector<AnswerRank> first;
  std::copy_if(answers.begin(), answers.end(), std::back_inserter(first),
               [](const AnswerRank& answer) { return answer.rank.realistic() <= 1; });
  if (first.size() <= most) return first;
  std::vector<AnswerRank> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(first[i * first.size() / most]);
  return some;
}

double mean_reciprocal_rank(const std::vector<AnswerRank>& answers) {
  double sum = 0;
  for (const AnswerRank& answer : answers) sum += 1 / answer.rank.realistic();
  return answers.empty() ? 0 : sum / static_cast<double>(answers.size());
}

/// Everything that speaks in a soft model for the answers of questions.
Result<std::vector<std::vector<double>>> soft_reasons(const Predictor& predictor,
                                                      const std::vector<AnswerRank>& answers,
                                                      const Observer& observer) {
  ExplainOptions options;
  options.reasons = 1'000'000;
  options.groundings = 0;
  options.facts = 0;
  options.missing = 0;
  options.work = 0;
  std::vector<std::vector<double>> all;
  for (const AnswerRank& answer : answers) {
    if (observer.stopped()) return fail_stopped("explaining");
    options.direction = answer.tail ? "tail" : "head";
    LERP_TRY(explanation, explain(predictor, answer.fact, options));
    std::vector<double> shares = {explanation.walks_share};
    for (const Explanation::Reason& reason : explanation.reasons) shares.push_back(reason.share);
    all.push_back(std::move(shares));
    observer.report({"explaining", all.size(), answers.size(), "answers", {}});
  }
  return all;
}

std::vector<std::vector<double>> list_reasons(const ListScorer& scorer, const Graph& graph,
                                              const std::vector<AnswerRank>& answers) {
  std::vector<std::vector<double>> all;
  for (const AnswerRank& answer : answers) {
    const Fact& fact = answer.fact;
    const Query query = answer.tail ? Query{fact.relation, fact.subject}
                                    : Query{graph.inverse(fact.relation), fact.object};
    std::vector<double> shares;
    for (const RuleShare& reason : scorer.reasons(query, answer.tail ? fact.object : fact.subject))
      shares.push_back(reason.share);
    all.push_back(std::move(shares));
  }
  return all;
}

/// The figures of one dataset while its seeds are run.
class Rows {
 public:
  Rows(std::string dataset, const ReadableOptions& options) : options_(options) {
    row_.dataset = std::move(dataset);
  }

  /// What a list holds, a relation on average.
  struct Length {
    double rules = 0;
    double weighed = 0;
  };

  void add(const std::string& method, std::uint32_t most, double mrr, const Length& length,
           const Concentration& reasons, double seconds) {
    auto place = std::find_if(rows_.begin(), rows_.end(), [&](const ReadableRow& row) {
      return row.method == method && row.most == most;
    });
    if (place == rows_.end()) {
      row_.method = method;
      row_.most = most;
      place = rows_.insert(place, row_);
      figures_.emplace_back();
    }
    const double share = 1.0 / options_.seeds;
    place->mrr += share * mrr;
    place->rules_per_relation += share * length.rules;
    place->weighed_per_relation += share * length.weighed;
    place->reasons.top3_share += share * reasons.top3_share;
    place->reasons.top5_share += share * reasons.top5_share;
    place->reasons.reasons_for_90_percent += share * reasons.reasons_for_90_percent;
    place->seconds += share * seconds;
    std::vector<double>& figures = figures_[static_cast<std::size_t>(place - rows_.begin())];
    figures.push_back(mrr);
    const auto [least, highest] = std::minmax_element(figures.begin(), figures.end());
    place->spread = *highest - *least;
  }

  const std::vector<ReadableRow>& rows() const { return rows_; }

 private:
  const ReadableOptions& options_;
  ReadableRow row_;
  std::vector<ReadableRow> rows_;
  std::vector<std::vector<double>> figures_;
};

/// One seed: the soft model, and the lists that are made of it.
Result<void> measure_seed(const Dataset& dataset, const ResolvedOptions& options,
                          const std::vector<std::uint32_t>& sizes, const ReadableOptions& bench,
                          Rows& rows, const Observer& observer) {
  LERP_TRY(trained, train(dataset, options, observer));
  const KnownGraph known(dataset, known_splits(*options), bench.threads);
  RankingOptions ranking;
  ranking.split = bench.split == "valid" ? Split::valid : Split::test;
  ranking.threads = bench.threads;
  const Predictor predictor(trained.model, known, bench.threads);
  {
    const std::unique_ptr<Scorer> scorer = make_scorer(trained.model, known, bench.threads);
    LERP_TRY(answers, rank_answers(*scorer, dataset, ranking, observer));
    LERP_TRY(reasons, soft_reasons(predictor, answered_first(answers, bench.facts), observer));
    rows.add("soft", 0, mean_reciprocal_rank(answers), {}, concentration(reasons), trained.seconds);
  }
  DistillOptions distilling = distill_options(dataset);
  distilling.threads = bench.threads;
  const Stopwatch watch;
  LERP_TRY(lists, distill_sizes(trained.model, known, distilling, sizes, observer));
  const double seconds = watch.seconds();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::unique_ptr<ListScorer> scorer = make_scorer(lists[i], known.graph());
    LERP_TRY(answers, rank_answers(*scorer, dataset, ranking, observer));
    const auto counts = rules_of_relations(lists[i].rules, dataset.relations.size());
    const auto mean = [&](std::size_t rules) {
      return static_cast<double>(rules) / static_cast<double>(counts.size());
    };
    const std::size_t distinct = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    rows.add(
        "list", sizes[i], mean_reciprocal_rank(answers),
        {mean(distinct), mean(lists[i].rules.size())},
        concentration(list_reasons(*scorer, known.graph(), answered_first(answers, bench.facts))),
        seconds);
  }
  return {};
}

}  // namespace

Concentration concentration(const std::vector<std::vector<double>>& answers) {
  std::vector<double> top3;
  std::vector<double> top5;
  std::vector<double> needed;
  for (std::vector<double> shares : answers) {
    std::erase_if(shares, [](double share) { return !(share > 0); });
    if (shares.empty()) continue;
    std::sort(shares.begin(), shares.end(), std::greater<>());
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    const auto carried = [&](std::size_t count) {
      const auto last =
          shares.begin() + static_cast<std::ptrdiff_t>(std::min(count, shares.size()));
      return std::accumulate(shares.begin(), last, 0.0) / all;
    };
    top3.push_back(carried(3));
    top5.push_back(carried(5));
    double sum = 0;
    std::size_t count = 0;
    while (count < shares.size() && sum < 0.9 * all) sum += shares[count++];
    needed.push_back(static_cast<double>(count));
  }
  return {median(std::move(top3)), median(std::move(top5)), median(std::move(needed))};
}

Result<ReadableBench> bench_readable(const std::vector<fs::path>& datasets,
                                     std::vector<std::uint32_t> sizes,
                                     const ReadableOptions& options,
                                     const std::vector<std::string>& settings,
                                     const Observer& observer) {
  for (const fs::path& path : datasets) {
    std::error_code code;
    if (!fs::exists(path, code)) {
      return fail("there is no such dataset", path.string(), "give a dataset folder or file");
    }
  }
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.empty() || sizes.back() == 0) {
    return fail("a list needs room for a rule", "--rules", "give sizes such as --rules 5,20,100");
  }
  ReadableBench bench;
  bench.options = options;
  bench.machine = measure_machine(options.threads);
  const auto measure = [&](const Dataset& dataset) -> Result<void> {
    Rows rows(dataset.name, options);
    for (std::uint32_t seed = 1; seed <= options.seeds; ++seed) {
      const OptionRequest request{
          .preset = options.preset, .settings = settings, .seed = seed, .threads = options.threads};
      LERP_TRY(train_options, resolve(dataset, request));
      LERP_CHECK(measure_seed(dataset, train_options, sizes, options, rows, observer));
    }
    bench.rows.insert(bench.rows.end(), rows.rows().begin(), rows.rows().end());
    return {};
  };
  if (datasets.empty()) LERP_CHECK(measure(generate_family({}).dataset));
  LoadOptions load_options;
  load_options.threads = options.threads;
  for (const fs::path& path : datasets) {
    LERP_TRY(dataset, load(path, load_options, observer));
    LERP_CHECK(measure(dataset));
  }
  return bench;
}

Json to_json(const ReadableBench& bench) {
  Json json = to_json(BenchReport{"readable", bench.machine, {}});
  json["preset"] = bench.options.preset;
  json["split"] = bench.options.split;
  for (const ReadableRow& row : bench.rows) {
    json["results"].push_back(
        {{"what",
          fmt::format("{}_{}", row.dataset, row.most == 0 ? row.method : std::to_string(row.most))},
         {"dataset", row.dataset},
         {"method", row.method},
         {"rules", row.most == 0 ? Json() : Json(row.most)},
         {"seeds", bench.options.seeds},
         {"mrr_realistic", row.mrr},
         {"mrr_spread", row.spread},
         {"rules_per_relation", row.most == 0 ? Json() : Json(row.rules_per_relation)},
         {"weighed_per_relation", row.most == 0 ? Json() : Json(row.weighed_per_relation)},
         {"top3_share", row.reasons.top3_share},
         {"top5_share", row.reasons.top5_share},
         {"reasons_for_90_percent", row.reasons.reasons_for_90_percent},
         {"seconds", row.seconds}});
  }
  return json;
}

std::string to_text(const ReadableBench& bench) {
  std::string text = fmt::format("{:<16} {:>6} {:>8} {:>8} {:>7} {:>16} {:>6} {:>6} {:>14} {:>8}",
                                 bench.options.split + " MRR", "method", "at most", "MRR", "spread",
                                 "rules a relation", "top 3", "top 5", "90 % needs", "seconds");
  for (const ReadableRow& row : bench.rows) {
    text += fmt::format(
        "\n{:<16} {:>6} {:>8} {:>8.4f} {:>7.4f} {:>16} {:>6.2f} {:>6.2f} {:>6.0f} reasons {:>8.1f}",
        row.dataset, row.method, row.most == 0 ? "-" : std::to_string(row.most), row.mrr,
        row.spread, row.most == 0 ? "-" : fmt::format("{:.1f}", row.rules_per_relation),
        row.reasons.top3_share, row.reasons.top5_share, row.reasons.reasons_for_90_percent,
        row.seconds);
  }
  return text;
}

std::string to_svg(const ReadableBench& bench) {
  Chart chart;
  chart.title = "MRR over the length of the list; the soft model dashed";
  chart.x.title = "rules a relation, at most";
  chart.x.logarithmic = true;
  chart.y.title = fmt::format("{} MRR, realistic", bench.options.split);
  std::vector<std::string> datasets;
  double least = 0;
  double most = 0;
  for (const ReadableRow& row : bench.rows) {
    if (std::find(datasets.begin(), datasets.end(), row.dataset) == datasets.end())
      datasets.push_back(row.dataset);
    if (row.most == 0) continue;
    least = least == 0 ? row.most : std::min(least, double{static_cast<double>(row.most)});
    most = std::max(most, static_cast<double>(row.most));
  }
  for (std::size_t colour = 0; colour < datasets.size(); ++colour) {
    Series list{datasets[colour], {}, false, colour};
    Series soft{datasets[colour] + ", soft", {}, true, colour};
    for (const ReadableRow& row : bench.rows) {
      if (row.dataset != datasets[colour]) continue;
      if (row.most == 0) {
        soft.points = {{least, row.mrr}, {most, row.mrr}};
      } else {
        list.points.insert(list.points.begin(), {static_cast<double>(row.most), row.mrr});
      }
    }
    chart.series.push_back(std::move(list));
    chart.series.push_back(std::move(soft));
  }
  for (const ReadableRow& row : bench.rows) {
    if (row.most != 0 && row.dataset == datasets.front())
      chart.x.ticks.push_back({static_cast<double>(row.most), std::to_string(row.most)});
  }
  return to_svg(chart);
}

}  // namespace lerpp
