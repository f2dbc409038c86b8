// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/base/memory.hpp>
#include <lerp/bench/quality.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

void add_share(double share, const Measures& from, Measures& to) {
  to.mrr += share * from.mrr;
  to.hits_at_1 += share * from.hits_at_1;
  to.hits_at_3 += share * from.hits_at_3;
  to.hits_at_10 += share * from.hits_at_10;
  to.mean_rank += share * from.mean_rank;
}

void add_share(double share, const Protocols& from, Protocols& to) {
  to.queries = from.queries;
  to.tied += share * from.tied;
  add_share(share, from.optimistic, to.optimistic);
  add_share(share, from.realistic, to.realistic);
  add_share(share, from.pessimistic, to.pessimistic);
}

/// Where the answers are asked for: the graph of other entities beside a dataset, or the dataset.
Result<Dataset> asked(const fs::path& path, const Dataset& dataset, const LoadOptions& options,
                      const Observer& observer) {
  fs::path other = fs::absolute(path).lexically_normal();
  if (!other.has_filename()) other = other.parent_path();
  other += "_ind";
  std::error_code code;
  if (!fs::exists(other, code)) return dataset;
  return load(other, options, observer);
}

/// Learns from one dataset and ranks the test facts of the same or another one.
Result<QualityRow> measure(const Dataset& dataset, const Dataset& test,
                           const QualityOptions& options, const std::vector<std::string>& settings,
                           const Observer& observer) {
  QualityRow row;
  row.dataset = dataset.name;
  row.seeds = options.seeds;
  reset_peak_memory();
  std::vector<double> figures;
  const double share = 1.0 / options.seeds;
  for (std::uint32_t seed = 1; seed <= options.seeds; ++seed) {
    const OptionRequest request{.preset = options.preset,
                                .settings = settings,
                                .seed = seed,
                                .threads = options.threads,
                                .on_valid = options.on_valid};
    LERP_TRY(train_options, resolve(dataset, request));
    LERP_TRY(trained, train(dataset, train_options, observer));
    RankingOptions ranking;
    ranking.threads = options.threads;
    const Stopwatch watch;
    LERP_TRY(ranked, evaluate_parts(trained.model,
                                    KnownGraph(test, known_splits(*train_options), options.threads),
                                    ranking, observer));
    if (ranked.rules_only) {
      row.with_embedding = row.with_embedding.value_or(0) + share * ranked.full.both.realistic.mrr;
    }
    const Protocols& rules = (ranked.rules_only ? *ranked.rules_only : ranked.full).both;
    figures.push_back(rules.realistic.mrr);
    add_share(share, rules, row.rules);
    row.valid += share * trained.valid_mrr.value_or(0);
    row.train_seconds += share * trained.seconds;
    row.eval_seconds += share * watch.seconds();
    row.peak_memory_bytes = std::max(row.peak_memory_bytes, static_cast<double>(peak_memory()));
  }
  const auto [least, most] = std::minmax_element(figures.begin(), figures.end());
  row.spread = *most - *least;
  return row;
}

}  // namespace

Result<QualityBench> bench_quality(const std::vector<fs::path>& datasets,
                                   const QualityOptions& options,
                                   const std::vector<std::string>& settings,
                                   const Observer& observer) {
  // What is absent is told before hours are spent on the others.
  for (const fs::path& path : datasets) {
    std::error_code code;
    if (!fs::exists(path, code)) {
      return fail("there is no such dataset", path.string(), "give a dataset folder or file");
    }
  }
  QualityBench bench;
  bench.machine = measure_machine(options.threads);
  if (datasets.empty()) {
    const Dataset built_in = generate_family({}).dataset;
    LERP_TRY(row, measure(built_in, built_in, options, settings, observer));
    bench.rows.push_back(std::move(row));
  }
  LoadOptions load_options;
  load_options.threads = options.threads;
  for (const fs::path& path : datasets) {
    LERP_TRY(dataset, load(path, load_options, observer));
    LERP_TRY(test, asked(path, dataset, load_options, observer));
    LERP_TRY(row, measure(dataset, test, options, settings, observer));
    bench.rows.push_back(std::move(row));
  }
  return bench;
}

Json to_json(const QualityBench& bench) {
  Json json = to_json(BenchReport{"quality", bench.machine, {}});
  for (const QualityRow& row : bench.rows) {
    json["results"].push_back(
        {{"dataset", row.dataset},
         {"seeds", row.seeds},
         {"mrr_realistic", row.rules.realistic.mrr},
         {"mrr_realistic_with_embedding", row.with_embedding ? Json(*row.with_embedding) : Json()},
         {"mrr_spread", row.spread},
         {"mrr_optimistic", row.rules.optimistic.mrr},
         {"mrr_pessimistic", row.rules.pessimistic.mrr},
         {"hits_at_1", row.rules.realistic.hits_at_1},
         {"hits_at_10", row.rules.realistic.hits_at_10},
         {"valid_mrr_realistic", row.valid},
         {"train_seconds", row.train_seconds},
         {"eval_seconds", row.eval_seconds},
         {"peak_memory_bytes", row.peak_memory_bytes}});
  }
  return json;
}

std::string to_text(const QualityBench& bench) {
  std::string text =
      fmt::format("{:<12} {:>6} {:>11} {:>7} {:>15} {:>11} {:>12} {:>7} {:>8} {:>10} {:>9} {:>6}",
                  "test MRR", "seeds", "rules only", "spread", "with embedding", "optimistic",
                  "pessimistic", "hits@1", "hits@10", "valid MRR", "train s", "MiB");
  for (const QualityRow& row : bench.rows) {
    text += fmt::format(
        "\n{:<12} {:>6} {:>11.3f} {:>7.3f} {:>15} {:>11.3f} {:>12.3f} {:>7.3f} {:>8.3f} {:>10.3f} "
        "{:>9.1f} {:>6.0f}",
        row.dataset, row.seeds, row.rules.realistic.mrr, row.spread,
        row.with_embedding ? fmt::format("{:.3f}", *row.with_embedding) : "-",
        row.rules.optimistic.mrr, row.rules.pessimistic.mrr, row.rules.realistic.hits_at_1,
        row.rules.realistic.hits_at_10, row.valid, row.train_seconds,
        row.peak_memory_bytes / 1048576);
  }
  return text;
}

}  // namespace lerpp
