// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <lerp/base/memory.hpp>
#include <lerp/bench/train.hpp>
#include <lerp/train/train.hpp>

#include "bench/timing.hpp"

namespace lerpp {
namespace {

/// MRR that the paper reports, with optimistic ties; Kinship and UMLS after training on train and
/// valid.
const std::map<std::string_view, double> published = {
    {"family", 0.970}, {"kinship", 0.643}, {"umls", 0.762}, {"wn18", 0.958}, {"wn18rr", 0.622}};

/// The names of a list "a,b".
std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    std::string name(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

Result<PaperRow> measure(const std::filesystem::path& root, const std::string& name,
                         const PaperBenchOptions& options, const Observer& observer) {
  LoadOptions load_options;
  load_options.threads = options.threads;
  LERP_TRY(dataset, load(root / name, load_options, observer));
  if (dataset[Split::test].empty()) {
    return fail("there are no test facts", (root / name).string(), "leave this dataset out");
  }
  PaperRow row;
  row.dataset = name;
  row.seeds = options.seeds;
  if (const auto found = published.find(name); found != published.end())
    row.published = found->second;
  std::vector<double> figures;
  reset_peak_memory();
  for (std::uint32_t seed = 1; seed <= options.seeds; ++seed) {
    const OptionRequest request{
        .preset = "paper", .seed = seed, .threads = options.threads, .on_valid = options.on_valid};
    LERP_TRY(train_options, resolve(dataset, request));
    LERP_TRY(trained, train(dataset, train_options, observer));
    RankingOptions ranking;
    ranking.threads = options.threads;
    const Stopwatch watch;
    LERP_TRY(ranked, evaluate(trained.model,
                              KnownGraph(dataset, known_splits(*train_options), options.threads),
                              ranking, observer));
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
  const std::vector<std::string> names = names_of(options.datasets);
  if (names.empty()) {
    return fail("no dataset is named", "", "give --datasets family,wn18rr", ErrorKind::usage);
  }
  // What is absent is told before hours are spent on the others.
  for (const std::string& name : names) {
    std::error_code code;
    if (!std::filesystem::exists(root / name, code)) {
      return fail("there is no such dataset", (root / name).string(),
                  "choose others with --datasets");
    }
  }
  bench.report.machine = measure_machine(options.threads);
  for (const std::string& name : names) {
    LERP_TRY(row, measure(root, name, options, observer));
    const auto add = [&](const char* what, double value, const char* unit) {
      bench.report.results.push_back({name + "_" + what, value, unit});
    };
    add("mrr_realistic", row.realistic, "");
    add("mrr_spread", row.spread, "");
    add("mrr_optimistic", row.optimistic, "");
    add("mrr_pessimistic", row.pessimistic, "");
    if (row.published > 0) add("mrr_published", row.published, "");
    add("hits_at_1", row.hits_at_1, "");
    add("hits_at_10", row.hits_at_10, "");
    add("train_seconds", row.train_seconds, "s");
    add("eval_seconds", row.eval_seconds, "s");
    add("peak_memory_bytes", row.peak_memory_bytes, "B");
    bench.rows.push_back(std::move(row));
  }
  return bench;
}

std::string to_text(const PaperBench& bench) {
  std::string text =
      fmt::format("{:<12} {:>6} {:>11} {:>10} {:>12} {:>10} {:>7} {:>7} {:>8} {:>9} {:>7}",
                  "test MRR", "seeds", "optimistic", "realistic", "pessimistic", "published",
                  "spread", "hits@1", "hits@10", "train s", "MiB");
  for (const PaperRow& row : bench.rows) {
    text += fmt::format(
        "\n{:<12} {:>6} {:>11.3f} {:>10.3f} {:>12.3f} {:>10} {:>7.3f} {:>7.3f} {:>8.3f} {:>9.1f} "
        "{:>7.0f}",
        row.dataset, row.seeds, row.optimistic, row.realistic, row.pessimistic,
        row.published > 0 ? fmt::format("{:.3f}", row.published) : "-", row.spread, row.hits_at_1,
        row.hits_at_10, row.train_seconds, row.peak_memory_bytes / 1048576);
  }
  return text +
         "\nPublished: with optimistic ties; kinship and umls after learning from the validation "
         "facts too (--train-on-valid).";
}

}  // namespace lerpp
