// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>

#include <lerp/base/parallel.hpp>
#include <lerp/curate/complete.hpp>
#include <lerp/kg/lookup.hpp>

#include "base/clock.hpp"
#include "curate/reason_writer.hpp"

namespace lerpp {
namespace {

constexpr std::string_view stage = "doubting";

Result<std::vector<Fact>> known_facts(const Predictor::State& state, const std::string& relation) {
  std::optional<RelationId> only;
  if (!relation.empty()) {
    LERP_TRY(found, find_relation(state.dataset(), relation));
    only = found;
  }
  std::vector<Fact> facts;
  for (EntityId entity = 0; entity < state.graph.entities(); ++entity) {
    for (const Edge& edge : state.graph.edges(entity)) {
      if (edge.op < state.graph.relations() && (!only || edge.op == *only))
        facts.push_back({entity, edge.op, edge.target});
    }
  }
  // By relation: to begin another target costs a look at all entities.
  std::ranges::stable_sort(facts, {}, &Fact::relation);
  return facts;
}

}  // namespace

Result<CuratedFacts> doubt(const Predictor& predictor, const DoubtOptions& options,
                           const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Clock::time_point begin = Clock::now();
  Predictor::State& state = predictor.state();
  if (!state.likelihood) {
    return fail("the model has not learned how likely its answers are", state.dataset().name,
                "ask through a run");
  }
  LERP_TRY(facts, known_facts(state, options.relation));
  std::vector<CuratedFact> doubted(facts.size());
  const unsigned workers = worker_count(state.threads);
  std::vector<std::unique_ptr<MaskedModel>> askers(workers);
  for (auto& asker : askers) asker = std::make_unique<MaskedModel>(state.masked);
  std::atomic<bool> stopped = false;
  std::atomic<std::size_t> done = 0;
  run_blocks(facts.size(), 1, workers, [&](unsigned worker, std::size_t i, std::size_t) {
    if (stopped.load(std::memory_order_relaxed) || observer.stopped()) {
      stopped = true;
      return;
    }
    const Predictor::State::Judgement judged =
        state.judgement(*askers[worker], facts[i], {&facts[i], 1});
    doubted[i] = {facts[i], judged.probability, judged.score};
    const std::size_t so_far = ++done;
    if (worker == 0) observer.report({stage, so_far, facts.size(), "facts", {}});
  });
  if (stopped) return fail_stopped(stage);
  std::ranges::sort(doubted, [](const CuratedFact& a, const CuratedFact& b) {
    return a.probability != b.probability ? a.probability < b.probability : a.fact < b.fact;
  });
  CuratedFacts result;
  result.dataset = state.dataset().name;
  result.looked_at = facts.size();
  if (doubted.size() > options.top) doubted.erase(doubted.begin() + options.top, doubted.end());
  result.facts = std::move(doubted);
  LERP_CHECK(add_reasons(state, result.facts, true, observer));
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace lerpp
