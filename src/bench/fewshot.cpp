// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <lerp/base/json.hpp>
#include <lerp/bench/fewshot.hpp>
#include <lerp/kg/generate.hpp>
#include <lerp/train/train.hpp>

#include "base/random.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;

struct NamedBaseline {
  std::string_view name;
  Baseline baseline;
};
constexpr std::array trivial_models = {NamedBaseline{"frequency", Baseline::frequency},
                                       NamedBaseline{"symmetry", Baseline::symmetry},
                                       NamedBaseline{"inverse", Baseline::inverse}};

/// Sums of reciprocal ranks, of the model and of each trivial one.
struct Tally {
  double queries = 0;
  double model = 0;
  std::array<double, trivial_models.size()> trivial = {};

  std::size_t best() const {
    return static_cast<std::size_t>(std::ranges::max_element(trivial) - trivial.begin());
  }
};
using Tallies = std::map<std::string, Tally>;

struct Measuring {
  const FewshotOptions& options;
  const std::vector<std::string>& settings;
  const Observer& observer;
};

/// Relations with test facts, dealt out.
std::vector<std::vector<RelationId>> deal(const Dataset& dataset, std::uint32_t groups,
                                          std::uint64_t seed) {
  std::vector<bool> asked(dataset.relations.size());
  for (const Fact& fact : dataset[Split::test]) asked[fact.relation] = true;
  std::vector<RelationId> relations;
  for (RelationId relation = 0; relation < asked.size(); ++relation) {
    if (asked[relation]) relations.push_back(relation);
  }
  Random(seed).shuffle(relations);
  const std::size_t count =
      groups == 0 ? relations.size() : std::min<std::size_t>(groups, relations.size());
  std::vector<std::vector<RelationId>> dealt(count);
  for (std::size_t i = 0; i < relations.size(); ++i) dealt[i % count].push_back(relations[i]);
  return dealt;
}

std::vector<bool> marks(const Dataset& dataset, const std::vector<RelationId>& relations) {
  std::vector<bool> marked(dataset.relations.size());
  for (const RelationId relation : relations) marked[relation] = true;
  return marked;
}

/// All facts, of which only those of the relations are asked for in the test split.
Dataset asking(const Dataset& dataset, const std::vector<RelationId>& relations) {
  const std::vector<bool> marked = marks(dataset, relations);
  Dataset asks = dataset;
  std::vector<Fact>& test = asks[Split::test];
  const auto others = std::stable_partition(
      test.begin(), test.end(), [&](const Fact& fact) { return marked[fact.relation]; });
  asks[Split::valid].insert(asks[Split::valid].end(), others, test.end());
  test.erase(others, test.end());
  return asks;
}

Result<void> tally(const Scorer& scorer, const Dataset& asks, const Measuring& measuring,
                   Tallies& tallies, double Tally::*sum) {
  LERP_TRY(ranked, rank(scorer, asks, {.threads = measuring.options.threads}, measuring.observer));
  for (const RankingReport::Relation& relation : ranked.relations) {
    const auto queries = static_cast<double>(relation.both.queries);
    tallies[relation.name].*sum += queries * relation.both.realistic.mrr;
  }
  return {};
}

/// Cuts a group, learns, ranks. Returns the seconds of learning.
Result<double> measure_group(const Dataset& dataset, const std::vector<RelationId>& relations,
                             std::uint32_t facts, std::uint64_t seed, const Measuring& measuring,
                             Tallies& tallies) {
  const Dataset cut = cut_relations(dataset, relations, facts, seed);
  const Dataset asks = asking(dataset, relations);
  LERP_TRY(options, resolve(cut, OptionRequest{.preset = measuring.options.preset,
                                               .settings = measuring.settings,
                                               .seed = seed,
                                               .threads = measuring.options.threads}));
  LERP_TRY(trained, train(cut, options, measuring.observer));
  const KnownGraph known(cut, known_splits(*options), measuring.options.threads);
  const auto scorer =
      make_scorer(trained.model, known, measuring.options.threads, measuring.observer);
  Tallies found;
  LERP_CHECK(tally(*scorer, asks, measuring, found, &Tally::model));
  for (std::size_t i = 0; i < trivial_models.size(); ++i) {
    Tallies sums;
    LERP_CHECK(tally(*make_baseline(trivial_models[i].baseline, known.graph()), asks, measuring,
                     sums, &Tally::model));
    for (const auto& [name, sum] : sums) found[name].trivial[i] = sum.model;
  }
  for (const Fact& fact : asks[Split::test])
    found[std::string(dataset.relations.name(fact.relation))].queries += 2;
  for (const auto& [name, sum] : found) {
    Tally& all = tallies[name];
    all.queries += sum.queries;
    all.model += sum.model;
    for (std::size_t i = 0; i < all.trivial.size(); ++i) all.trivial[i] += sum.trivial[i];
  }
  return trained.seconds;
}

void summarise(const Tallies& tallies, FewshotRow& row) {
  Tally all;
  for (const auto& [name, sum] : tallies) {
    const double best = sum.trivial[sum.best()];
    row.relations.push_back({name, static_cast<std::uint64_t>(sum.queries) / row.seeds,
                             sum.model / sum.queries, best / sum.queries});
    if (sum.model < best) ++row.below;
    all.queries += sum.queries;
    all.model += sum.model;
    for (std::size_t i = 0; i < all.trivial.size(); ++i) all.trivial[i] += sum.trivial[i];
  }
  row.queries = static_cast<std::uint64_t>(all.queries) / row.seeds;
  row.mrr = all.model / all.queries;
  row.best_baseline = trivial_models[all.best()].name;
  row.baseline = all.trivial[all.best()] / all.queries;
}

Result<FewshotRow> measure(const Dataset& dataset, std::uint32_t facts,
                           const Measuring& measuring) {
  FewshotRow row;
  row.dataset = dataset.name;
  row.facts = facts;
  row.seeds = measuring.options.seeds;
  Tallies tallies;
  for (std::uint32_t seed = 1; seed <= row.seeds; ++seed) {
    for (const std::vector<RelationId>& relations : deal(dataset, measuring.options.groups, seed)) {
      LERP_TRY(seconds, measure_group(dataset, relations, facts, seed, measuring, tallies));
      row.train_seconds += seconds / row.seeds;
    }
  }
  summarise(tallies, row);
  return row;
}

Result<void> measure_rows(const Dataset& dataset, const Measuring& measuring, FewshotBench& bench) {
  if (dataset[Split::test].empty()) {
    return fail("there are no test facts to ask about", dataset.name,
                "give a dataset with a test split");
  }
  for (const std::uint32_t facts : measuring.options.facts) {
    LERP_TRY(row, measure(dataset, facts, measuring));
    bench.rows.push_back(std::move(row));
  }
  return {};
}

}  // namespace

Dataset cut_relations(const Dataset& dataset, const std::vector<RelationId>& relations,
                      std::uint32_t facts, std::uint64_t seed) {
  const std::vector<bool> marked = marks(dataset, relations);
  const auto is_cut = [&](const Fact& fact) { return marked[fact.relation]; };
  Dataset cut = dataset;
  std::vector<Fact> known;
  for (const Split split : {Split::facts, Split::train}) {
    std::ranges::copy_if(dataset[split], std::back_inserter(known), is_cut);
    std::erase_if(cut[split], is_cut);
  }
  std::erase_if(cut[Split::valid], is_cut);
  Random(seed, 1).shuffle(known);
  std::vector<std::uint32_t> kept(marked.size());
  for (const Fact& fact : known) {
    if (kept[fact.relation]++ < facts) cut[Split::train].push_back(fact);
  }
  return cut;
}

Result<FewshotBench> bench_fewshot(const std::vector<fs::path>& datasets,
                                   const FewshotOptions& options,
                                   const std::vector<std::string>& settings,
                                   const Observer& observer) {
  // What is absent is told before hours are spent on the others.
  for (const fs::path& path : datasets) {
    std::error_code code;
    if (!fs::exists(path, code))
      return fail("there is no such dataset", path.string(), "give a dataset folder or file");
  }
  const Measuring measuring = {options, settings, observer};
  FewshotBench bench;
  bench.machine = measure_machine(options.threads);
  if (datasets.empty()) {
    const Dataset built_in = generate_family({}).dataset;
    LERP_CHECK(measure_rows(built_in, measuring, bench));
  }
  for (const fs::path& path : datasets) {
    LERP_TRY(dataset, load(path, {.threads = options.threads}, observer));
    LERP_CHECK(measure_rows(dataset, measuring, bench));
  }
  return bench;
}

Json to_json(const FewshotBench& bench) {
  Json json = to_json(BenchReport{"fewshot", bench.machine, {}});
  for (const FewshotRow& row : bench.rows) {
    Json relations = Json::object();
    for (const FewshotRow::Relation& relation : row.relations) {
      relations[relation.name] = {{"queries", relation.queries},
                                  {"mrr_realistic", relation.mrr},
                                  {"baseline_mrr_realistic", relation.baseline}};
    }
    json["results"].push_back({{"what", fmt::format("{}_{}", row.dataset, row.facts)},
                               {"dataset", row.dataset},
                               {"facts", row.facts},
                               {"seeds", row.seeds},
                               {"queries", row.queries},
                               {"mrr_realistic", row.mrr},
                               {"best_baseline", row.best_baseline},
                               {"baseline_mrr_realistic", row.baseline},
                               {"relations_below_baseline", row.below},
                               {"relations", std::move(relations)},
                               {"train_seconds", row.train_seconds}});
  }
  return json;
}

std::string to_text(const FewshotBench& bench) {
  std::string text =
      fmt::format("{:<12} {:>6} {:>6} {:>8} {:>9} {:>9}  {:<10} {:>16} {:>8}", "test MRR", "facts",
                  "seeds", "queries", "lerp", "baseline", "", "relations below", "train s");
  for (const FewshotRow& row : bench.rows) {
    text += fmt::format("\n{:<12} {:>6} {:>6} {:>8} {:>9.3f} {:>9.3f}  {:<10} {:>16} {:>8.1f}",
                        row.dataset, row.facts, row.seeds, row.queries, row.mrr, row.baseline,
                        row.best_baseline, fmt::format("{} of {}", row.below, row.relations.size()),
                        row.train_seconds);
  }
  return text;
}

}  // namespace lerpp
