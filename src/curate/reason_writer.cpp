// SPDX-License-Identifier: Apache-2.0
#include "curate/reason_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include <lerp/base/parallel.hpp>
#include <lerp/logic/rule_text.hpp>
#include <lerp/logic/support.hpp>

#include "explain/reasons.hpp"

namespace lerpp {
namespace {

/// Walks of a soft rule that are retraced: the heaviest say which rule it is.
constexpr std::size_t most_walks = 20;
/// Facts that are counted exactly; of more, a sample of the entities.
constexpr double counted_facts = 20'000;
constexpr std::string_view stage = "finding reasons";

/// Asks on behalf of one thread.
class ReasonWorker {
 public:
  ReasonWorker(Predictor::State& state, bool hidden)
      : state_(state), asked_(state.masked), hidden_(hidden) {
    const ModelShape& shape = state.model.shape();
    // The bare rule is enough for one line; what its constraints read takes long to find.
    none_.resize(shape.rules * (shape.length + std::size_t{1}));
  }

  /// The rule that says most for the fact, or against it where nothing speaks for it.
  std::optional<Rule> strongest(const CuratedFact& given) {
    const std::span<const Fact> hidden(&given.fact, hidden_ ? 1 : 0);
    asked_.ask(tail_query(given.fact), hidden);
    ReasonFinder finder(asked_, given.fact.object, none_);
    const std::vector<Explanation::Reason> reasons = finder.find(most_walks, 0);
    const auto speaks = [](bool for_it) {
      return [for_it](const Explanation::Reason& reason) {
        return reason.rule && (reason.share > 0) == for_it;
      };
    };
    auto found = std::ranges::find_if(reasons, speaks(!hidden_));
    if (found == reasons.end()) found = std::ranges::find_if(reasons, speaks(hidden_));
    if (found == reasons.end()) return std::nullopt;
    return canonical(*found->rule, state_.graph.relations());
  }

 private:
  Predictor::State& state_;
  MaskedModel asked_;
  bool hidden_;
  std::vector<std::optional<SoftConstraint>> none_;
};

/// The reasons, each once, with their figures.
struct Counted {
  Rule rule;
  Support support = {};
};

Result<void> each(std::size_t count, unsigned workers, const Observer& observer, bool tell,
                  const std::function<void(unsigned, std::size_t)>& work) {
  std::atomic<bool> stopped = false;
  std::atomic<std::size_t> done = 0;
  run_blocks(count, 1, workers, [&](unsigned worker, std::size_t i, std::size_t) {
    if (stopped.load(std::memory_order_relaxed) || observer.stopped()) {
      stopped = true;
      return;
    }
    work(worker, i);
    const std::size_t so_far = ++done;
    if (tell && worker == 0) observer.report({stage, so_far, count, "facts", {}});
  });
  if (stopped) return fail_stopped(stage);
  return {};
}

}  // namespace

Result<void> add_reasons(Predictor::State& state, std::vector<CuratedFact>& facts, bool hidden,
                         const Observer& observer) {
  if (facts.empty()) return {};
  const auto workers =
      static_cast<unsigned>(std::min<std::size_t>(facts.size(), worker_count(state.threads)));
  std::vector<std::unique_ptr<ReasonWorker>> askers(workers);
  for (auto& asker : askers) asker = std::make_unique<ReasonWorker>(state, hidden);
  std::vector<std::optional<Rule>> rules(facts.size());
  LERP_CHECK(each(facts.size(), workers, observer, true, [&](unsigned worker, std::size_t i) {
    rules[i] = askers[worker]->strongest(facts[i]);
  }));

  const Names names = {state.dataset().relations, state.dataset().entities};
  std::map<std::string, std::size_t> places;
  std::vector<Counted> counted;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    facts[i].objection = state.judge.objection(facts[i].fact, hidden);
    facts[i].fits = state.judge.fits(facts[i].fact, hidden);
    if (!rules[i]) continue;
    facts[i].reason = to_text(*rules[i], names);
    if (places.try_emplace(facts[i].reason, counted.size()).second) counted.push_back({*rules[i]});
  }
  SupportOptions options;
  options.distinct = true;
  options.share = std::min(1.0, counted_facts / static_cast<double>(state.graph.facts()));
  std::vector<std::unique_ptr<Evaluator>> evaluators(workers);
  for (auto& one : evaluators) one = std::make_unique<Evaluator>(state.graph);
  LERP_CHECK(each(counted.size(), workers, observer, false, [&](unsigned worker, std::size_t i) {
    counted[i].support = support(counted[i].rule, *evaluators[worker], options);
  }));
  for (CuratedFact& fact : facts) {
    if (fact.reason.empty()) continue;
    const Support& figures = counted[places.at(fact.reason)].support;
    fact.support = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(figures.support) / options.share));
    fact.confidence = figures.confidence();
  }
  return {};
}

}  // namespace lerpp
