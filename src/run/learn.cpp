// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <lerp/base/files.hpp>
#include <lerp/base/json.hpp>
#include <lerp/base/text.hpp>
#include <lerp/logic/rule_body.hpp>
#include <lerp/run/learn.hpp>

#include "base/clock.hpp"
#include "base/run_folder.hpp"

namespace lerpp {
namespace {

namespace fs = std::filesystem;
using Say = RunFolder::Say;

/// Ranks a split with the list alone, where there is something to rank.
Result<std::optional<RankingReport>> ranks_of(const Model& list, const KnownGraph& known,
                                              Split split, unsigned threads,
                                              const Observer& observer) {
  if (known.dataset()[split].empty()) return std::optional<RankingReport>();
  RankingOptions options;
  options.split = split;
  options.threads = threads;
  LERP_TRY(ranks, evaluate(list, known, options, observer));
  return std::optional(std::move(ranks));
}

/// Shorter lists explain an answer with fewer reasons. Of several lengths the shortest is taken
/// whose MRR on validation facts is at most this much below the best.
constexpr double brevity = 0.002;
/// Entities up to which it does not take long to try several.
constexpr std::size_t quick_graph = 10'000;

std::vector<std::uint32_t> lengths(std::uint32_t most, const Dataset& dataset) {
  if (dataset.entities.size() > quick_graph || dataset[Split::valid].empty()) return {most};
  std::vector<std::uint32_t> all = {most, (most + 1) / 2, (most + 4) / 5};
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Result<RuleList> make_list(const Run& run, const KnownGraph& known, const TrainOptions& options,
                           const Observer& observer) {
  LERP_TRY(settings, run.distill_options());
  settings.seed = options.train.seed;
  LERP_TRY(lists, distill_sizes(run.model(), known, settings,
                                lengths(options.list.rules, known.dataset()), observer));
  if (lists.size() == 1) return std::move(lists.front());
  std::vector<double> reached;
  for (const RuleList& list : lists) {
    LERP_TRY(ranks, ranks_of(list_model(run.model().relations, list), known, Split::valid,
                             options.train.threads, observer));
    reached.push_back(ranks->both.realistic.mrr);
  }
  const double enough = *std::max_element(reached.begin(), reached.end()) - brevity;
  std::size_t place = lists.size() - 1;
  while (reached[place] < enough) --place;
  return std::move(lists[place]);
}

/// Makes the list of a run, or takes the one that is there, and ranks with it.
Result<FewRules> few_rules(const Run& run, const TrainOptions& options, const Observer& observer) {
  const Clock::time_point start = Clock::now();
  LERP_TRY(known, run.known());
  RuleList list;
  if (run.has_list()) {
    LERP_TRY(kept, run.load_list());
    list = std::move(kept);
  } else {
    LERP_TRY(made, make_list(run, known, options, observer));
    LERP_CHECK(run.save_list(made, run.list_file()));
    list = std::move(made);
  }
  FewRules result;
  result.seconds = seconds_since(start);
  const auto counts = rules_of_relations(list.rules, known.dataset().relations.size());
  result.rules = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  result.of_relation = *std::max_element(counts.begin(), counts.end());
  const Model model = list_model(run.model().relations, std::move(list));
  const unsigned threads = options.train.threads;
  LERP_TRY(valid, ranks_of(model, known, Split::valid, threads, observer));
  LERP_TRY(test, ranks_of(model, known, Split::test, threads, observer));
  result.valid = std::move(valid);
  result.test = std::move(test);
  return result;
}

/// Adds the list to what a run leaves. The first process of a crew makes it.
Result<RunResult> with_list(RunResult result, const fs::path& path,
                            const std::shared_ptr<const Dataset>& dataset, const Observer& observer,
                            const Say& say, const Crew* crew) {
  if (result.options.list.rules == 0 || (crew != nullptr && !crew->leads())) return result;
  RunFolder folder(path, say);
  LERP_CHECK(folder.take());
  LERP_TRY(opened, Run::open(path, result.options.train.threads, observer));
  const Run run = dataset ? opened.on(dataset) : opened;
  Result<FewRules> found = few_rules(run, result.options, observer);
  if (!found) return folder.with_remedy(std::move(found.error()));
  LERP_CHECK(folder.tell(to_text(*found)));
  result.few_rules = std::move(*found);
  LERP_CHECK(write_metrics(folder.path(), to_json(result)));
  return result;
}

}  // namespace

Result<RunResult> train_run(const Dataset& dataset, const fs::path& data,
                            const ResolvedOptions& options, const fs::path& folder,
                            const Observer& observer, const Say& say, Crew* crew) {
  LERP_TRY(result, start_run(dataset, data, options, folder, observer, say, crew));
  // The caller's own, which outlives this call.
  const std::shared_ptr<const Dataset> shared(std::shared_ptr<void>(), &dataset);
  return with_list(std::move(result), folder, shared, observer, say, crew);
}

Result<RunResult> continue_run(const fs::path& folder, const Observer& observer, const Say& say,
                               Crew* crew) {
  LERP_TRY(result, resume_run(folder, observer, say, crew));
  return with_list(std::move(result), folder, nullptr, observer, say, crew);
}

}  // namespace lerpp
