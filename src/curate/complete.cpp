// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lerp/curate/complete.hpp>
#include <lerp/kg/lookup.hpp>

#include "base/clock.hpp"
#include "curate/reason_writer.hpp"

namespace lerpp {
namespace {

/// Questions whose answers are held at once.
constexpr std::size_t questions_together = 20'000;
/// Candidates of each question, at least and at most; fewer questions have more.
constexpr std::size_t least_each = 3;
constexpr std::size_t most_each = 50;

/// The most likely first; of equal ones the first by number.
bool likelier(const CuratedFact& a, const CuratedFact& b) {
  return a.probability != b.probability ? a.probability > b.probability : a.fact < b.fact;
}

/// Keeps the most likely facts, a bounded number of them at any time.
class BestFacts {
 public:
  explicit BestFacts(std::size_t most) : most_(most) {}

  void add(CuratedFact fact) {
    kept_.push_back(std::move(fact));
    if (kept_.size() >= 2 * most_ + questions_together) shrink();
  }
  std::vector<CuratedFact> take() {
    shrink();
    return std::move(kept_);
  }

 private:
  /// A fact may be found from both of its ends.
  void shrink() {
    std::ranges::sort(kept_, likelier);
    const auto same = [](const CuratedFact& a, const CuratedFact& b) { return a.fact == b.fact; };
    kept_.erase(std::unique(kept_.begin(), kept_.end(), same), kept_.end());
    if (kept_.size() > most_)
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(most_), kept_.end());
  }

  std::size_t most_;
  std::vector<CuratedFact> kept_;
};

/// What is asked: of a relation, all that take part in it; of an entity, all that suits it.
class Questions {
 public:
  static Result<Questions> choose(const Predictor& predictor, const CompleteOptions& options) {
    const Predictor::State& state = predictor.state();
    const RelationId relations = state.graph.relations();
    Questions result;
    std::optional<RelationId> relation;
    if (!options.relation.empty()) {
      LERP_TRY(found, find_relation(state.dataset(), options.relation));
      relation = found;
    }
    const auto add = [&](EntityId entity, const std::vector<OperatorId>& sides) {
      for (const OperatorId op : sides) {
        if (!relation || op % relations == *relation) result.queries.push_back({op, entity});
      }
    };
    if (!options.entity.empty()) {
      LERP_TRY(entity, find_entity(state.dataset(), options.entity));
      add(entity, state.judge.habits().suited(entity));
    } else {
      for (EntityId entity = 0; entity < state.graph.entities(); ++entity)
        add(entity, state.judge.habits().sides(entity));
    }
    sort_queries(result.queries);
    return result;
  }

  std::vector<Query> queries;
};

}  // namespace

Result<CuratedFacts> complete(const Predictor& predictor, const CompleteOptions& options,
                              const Observer& observer) {
  LERP_CHECK(check_options(options));
  const Clock::time_point begin = Clock::now();
  Predictor::State& state = predictor.state();
  if (!state.likelihood) {
    return fail("the model has not learned how likely its answers are", state.dataset().name,
                "ask through a run");
  }
  LERP_TRY(questions, Questions::choose(predictor, options));
  const std::span<const Query> queries = questions.queries;
  const std::size_t each =
      std::clamp(4 * std::size_t{options.top} / std::max<std::size_t>(1, queries.size()),
                 least_each, most_each);
  CuratedFacts result;
  result.dataset = state.dataset().name;
  BestFacts best(options.top);
  for (std::size_t first = 0; first < queries.size(); first += questions_together) {
    observer.report({"completing", first, queries.size(), "questions", {}});
    const std::size_t count = std::min(questions_together, queries.size() - first);
    LERP_TRY(lists, state.judge.best(queries.subspan(first, count), each, observer.silent()));
    for (const std::vector<CandidateFact>& list : lists) {
      for (const CandidateFact& one : list) {
        ++result.looked_at;
        if (state.full.contains(one.fact)) continue;
        const double probability = state.probability(one);
        if (probability < options.min_probability) continue;
        best.add({one.fact, probability, one.tail.score});
      }
    }
  }
  result.facts = best.take();
  LERP_CHECK(add_reasons(state, result.facts, false, observer));
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace lerpp
