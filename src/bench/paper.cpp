#include <cmath>
#include <map>

#include <fmt/format.h>

#include <lerp/bench/train.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

/// MRR that the paper reports, with optimistic ties; Kinship and UMLS after training on train and
/// valid.
const std::map<std::string_view, double> published = {
    {"family", 0.970}, {"kinship", 0.643}, {"umls", 0.762}, {"wn18", 0.958}, {"wn18rr", 0.622}};

Result<PaperRow> measure(const std::filesystem::path& path, const PaperBenchOptions& options,
                         const Observer& observer) {
  LoadOptions load_options;
  load_options.threads = options.threads;
  LERP_TRY(dataset, load(path, load_options, observer));
  PaperRow row;
  row.dataset = dataset.name;
  row.seeds = options.seeds;
  if (const auto found = published.find(dataset.name); found != published.end())
    row.published = found->second;
  std::vector<double> figures;
  reset_peak_memory();
  for (std::uint32_t seed = 1; seed <= options.seeds; ++seed) {
    LERP_TRY(train_options, preset("paper", {}));
    train_options.train.seed = seed;
    train_options.train.threads = options.threads;
    train_options.train.on_valid = options.on_valid;
    resolve(train_options, dataset);
    LERP_TRY(trained, train(dataset, train_options, observer));
    RankingOptions ranking;
    ranking.threads = options.threads;
    const Stopwatch watch;
    LERP_TRY(ranked, evaluate(trained.model, dataset, ranking, options.on_valid, observer));
    const double share = 1.0 / options.seeds;
    figures.push_back(ranked.both.realistic.mrr);
    row.realistic += share * ranked.both.realistic.mrr;
    row.optimistic += share * ranked.both.optimistic.mrr;
    row.pessimistic += share * ranked.both.pessimistic.mrr;
    row.hits_at_1 += share * ranked.both.realistic.hits_at_1;
    row.hits_at_10 += share * ranked.both.realistic.hits_at_10;
    row.train_seconds += share * trained.seconds;
    row.eval_seconds += share * watch.seconds();
    row.peak_memory_bytes = std::max(row.peak_memory_bytes, static_cast<double>(peak_memory()));
  }
  const auto [least, most] = std::minmax_element(figures.begin(), figures.end());
  row.spread = *most - *least;
  return row;
}

}  // namespace

Result<PaperBench> bench_paper(const std::filesystem::path& root, const PaperBenchOptions& options,
                               const Observer& observer) {
  PaperBench bench;
  bench.report.bench = "paper";
  bench.report.machine = measure_machine(options.threads);
  std::string_view rest = options.datasets;
  while (!rest.empty()) {
    const std::string name(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (name.empty()) continue;
    LERP_TRY(row, measure(root / name, options, observer));
    const auto add = [&](const char* what, double value, const char* unit) {
      bench.report.results.push_back({name + "_" + what, value, unit});
    };
    add("mrr_realistic", row.realistic, "");
    add("mrr_spread", row.spread, "");
    add("mrr_optimistic", row.optimistic, "");
    add("mrr_pessimistic", row.pessimistic, "");
    add("train_seconds", row.train_seconds, "s");
    add("eval_seconds", row.eval_seconds, "s");
    add("peak_memory_bytes", row.peak_memory_bytes, "B");
    bench.rows.push_back(std::move(row));
  }
  return bench;
}

std::string to_text(const PaperBench& bench) {
  std::string text =
      fmt::format("{:<12} {:>6} {:>10} {:>8} {:>10} {:>11} {:>7} {:>8} {:>10} {:>9} {:>9}",
                  "dataset", "seeds", "realistic", "spread", "optimistic", "pessimistic", "hits@1",
                  "hits@10", "published", "train s", "MiB");
  for (const PaperRow& row : bench.rows) {
    text += fmt::format(
        "\n{:<12} {:>6} {:>10.3f} {:>8.3f} {:>10.3f} {:>11.3f} {:>7.3f} {:>8.3f} {:>10} {:>9.1f} "
        "{:>9.0f}",
        row.dataset, row.seeds, row.realistic, row.spread, row.optimistic, row.pessimistic,
        row.hits_at_1, row.hits_at_10,
        row.published > 0 ? fmt::format("{:.3f}", row.published) : "-", row.train_seconds,
        row.peak_memory_bytes / 1048576);
  }
  return text;
}

}  // namespace lerpp
