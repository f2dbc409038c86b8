// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include <lerp/explain/explain.hpp>

#include "base/clock.hpp"
#include "explain/near_misses.hpp"
#include "explain/predictor_state.hpp"
#include "explain/proofs.hpp"
#include "explain/reasons.hpp"
#include "read/body_pairs.hpp"

namespace lerpp {
namespace {

/// Near misses that are looked at for each that is told: the exact score decides.
constexpr std::size_t tries = 2;

/// The known graph with further facts.
Graph with_facts(const Predictor::State& state, std::span<const Fact> added) {
  const Dataset& data = state.dataset();
  const KnownSplits splits = state.known.splits();
  return {data.entities.size(),
          data.relations.size(),
          {data.known_facts(Split::facts, splits), data.known_facts(Split::train, splits),
           data.known_facts(Split::valid, splits), added},
          1};
}

Query query_of(const Predictor::State& state, const Fact& fact, const ExplainOptions& options) {
  return options.direction == "tail" ? Query{fact.relation, fact.subject}
                                     : Query{fact.relation + state.graph.relations(), fact.object};
}

bool is_predicted(const Standing& standing, const ExplainOptions& options) {
  return standing.rank.realistic() <= static_cast<double>(options.top);
}

/// One explanation, step by step.
class Explainer {
 public:
  Explainer(Predictor::State& state, MaskedModel& asked, const ExplainOptions& options,
            Explanation& result)
      : state_(state), asked_(asked), options_(options), result_(result) {
    if (result.hidden) hidden_.push_back(result.fact);
  }

  void stand() {
    const std::optional<double> probability = state_.probability(asked_, result_.fact, hidden_);
    result_.objection = state_.objection(result_.fact, hidden_);
    asked_.ask(result_.query, hidden_);
    result_.standing = state_.candidates(asked_).standing(result_.answer);
    result_.standing.probability = probability;
    result_.predicted = is_predicted(result_.standing, options_);
  }

  void find_reasons() {
    ReasonFinder finder(asked_, result_.answer, state_.constraints(result_.query.target));
    result_.reasons = finder.find(options_.walks, options_.groundings);
    result_.walks_share = finder.walks_share();
    result_.smallest = smallest_set();
    result_.top3_share = strongest_share(3);
    result_.top5_share = strongest_share(5);
    const std::size_t told = std::min<std::size_t>(options_.reasons, result_.reasons.size());
    result_.others = result_.reasons.size() - told;
    for (std::size_t i = told; i < result_.reasons.size(); ++i)
      result_.others_share += result_.reasons[i].share;
    result_.reasons.resize(told);
    const VisibleGraph visible(state_.graph, asked_.mask());
    const Prover prover(visible, result_.query, result_.answer, options_.groundings);
    for (Explanation::Reason& reason : result_.reasons) prover.prove(reason);
  }

  /// The same figures that a list of rules has.
  void count_reasons() {
    if (options_.work == 0) return;
    Evaluator evaluator(state_.graph);
    for (Explanation::Reason& reason : result_.reasons) {
      if (!reason.rule) continue;
      const CountedSupport counted = count_support(
          canonical(*reason.rule, state_.graph.relations()), evaluator, options_.work);
      reason.support = counted.support;
      reason.counted = counted.counted;
    }
  }

  /// Asks again without each of the facts on which the largest shares rest.
  void find_needed() {
    std::map<Fact, double> shares;
    for (const Explanation::Reason& reason : result_.reasons) {
      std::map<Fact, double> own;
      for (const Explanation::Grounding& grounding : reason.groundings) {
        for (const Fact& fact : grounding.facts) own[fact] = reason.share;
        for (const Explanation::Check& check : grounding.checks) {
          for (const Fact& fact : check.witness) own[fact] = reason.share;
        }
      }
      for (const auto& [fact, share] : own) shares[fact] += share;
    }
    std::vector<std::pair<Fact, double>> order(shares.begin(), shares.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (order.size() > options_.facts) order.resize(options_.facts);
    for (const auto& [fact, share] : order) {
      std::vector<Fact> hidden = hidden_;
      hidden.push_back(fact);
      const std::optional<double> probability = state_.probability(asked_, result_.fact, hidden);
      asked_.ask(result_.query, hidden);
      result_.needed.push_back({fact, state_.candidates(asked_).standing(result_.answer)});
      result_.needed.back().without.probability = probability;
    }
    std::stable_sort(
        result_.needed.begin(), result_.needed.end(),
        [](const auto& a, const auto& b) { return a.without.score < b.without.score; });
  }

  /// Asks again on a graph that holds what is missing, one fact at a time.
  void find_missing(const std::function<std::optional<Split>(const Fact&)>& split_of) {
    const std::vector<TargetBody>& bodies = state_.bodies(result_.query.target);
    Mask mask(state_.graph);
    mask.hide(hidden_);
    const std::vector<NearMiss> misses = near_misses(
        {state_.graph, mask}, result_.query, result_.answer, bodies, tries * options_.missing);
    if (misses.empty()) return find_unreached({state_.graph, mask}, bodies);
    std::vector<Fact> added;
    added.reserve(misses.size());
    for (const NearMiss& miss : misses) added.push_back(miss.fact);
    const Graph more = with_facts(state_, added);
    const bool exact = !state_.model.shape().constants || counts_quickly(more);
    asked_.ask(result_.query, hidden_);
    MaskedModel model(asked_, more, added, exact);
    for (const NearMiss& miss : misses) {
      std::vector<Fact> hidden = hidden_;
      std::copy_if(added.begin(), added.end(), std::back_inserter(hidden),
                   [&](const Fact& fact) { return fact != miss.fact; });
      const Standing with = Candidates(model.ask(result_.query, hidden),
                                       state_.answers(result_.query), result_.evidence)
                                .standing(result_.answer);
      if (with.score <= result_.standing.score) continue;
      result_.missing.push_back(
          {path_rule(result_.query.target, miss.body.hops, {}, miss.body.strength), miss.fact,
           split_of(miss.fact), miss.there, with, exact});
    }
    std::stable_sort(result_.missing.begin(), result_.missing.end(),
                     [](const auto& a, const auto& b) { return a.with.softmax > b.with.softmax; });
    while (result_.missing.size() > options_.missing) result_.missing.pop_back();
  }

 private:
  /// Of all that speaks for the answer, what so many reasons carry, while all are there.
  double strongest_share(std::size_t most) const {
    std::vector<double> shares;
    for (const Explanation::Reason& reason : result_.reasons) {
      if (reason.share > 0) shares.push_back(reason.share);
    }
    std::sort(shares.begin(), shares.end(), std::greater<>());
    double sum = std::max(0.0, result_.walks_share);
    double strongest = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      sum += shares[i];
      if (i < most) strongest += shares[i];
    }
    return sum > 0 ? strongest / sum : 0;
  }

  /// How many of the strongest reasons for the answer keep it where it stands, all else that speaks
  /// for it left out and all that speaks against it left in. No other set of as many has more to
  /// say, so there is no smaller one.
  std::size_t smallest_set() const {
    const std::optional<double> next = state_.candidates(asked_).next_score(result_.answer);
    double score = std::min(0.0, result_.walks_share);
    for (const Explanation::Reason& reason : result_.reasons) score += std::min(0.0, reason.share);
    std::size_t count = 0;
    for (const Explanation::Reason& reason : result_.reasons) {
      if (count > 0 && (!next || score > *next)) break;
      if (reason.share <= 0) continue;
      score += reason.share;
      ++count;
    }
    return count;
  }

  /// Other bodies hold, or lack the fact that is asked about.
  void find_unreached(const VisibleGraph& visible, const std::vector<TargetBody>& bodies) {
    for (const TargetBody& body : bodies) {
      std::vector<Explanation::Gap> gaps = open_gaps(visible, result_.query, result_.answer, body);
      if (gaps.size() < 2) continue;
      result_.unreached = {path_rule(result_.query.target, body.hops, {}, body.strength),
                           std::move(gaps)};
      return;
    }
  }

  Predictor::State& state_;
  MaskedModel& asked_;
  const ExplainOptions& options_;
  Explanation& result_;
  std::vector<Fact> hidden_;
};

}  // namespace

std::size_t Explanation::told() const {
  if (!predicted || smallest == 0) return reasons.size();
  std::size_t left = smallest;
  std::size_t told = 0;
  while (told < reasons.size() && left > 0) left -= reasons[told++].share > 0 ? 1 : 0;
  return told;
}

Result<Explanation> explain(const Predictor& predictor, const Fact& fact,
                            const ExplainOptions& options) {
  LERP_CHECK(check_options(options));
  Predictor::State& state = predictor.state();
  const bool tail = options.direction == "tail";
  Explanation result;
  result.fact = fact;
  result.query = query_of(state, fact, options);
  result.answer = tail ? fact.object : fact.subject;
  result.known = predictor.split_of(fact);
  result.hidden = !options.with_fact && state.graph.contains(fact);
  result.evidence = state.model.shape().evidence;
  // How the constraints of a target read is found once: that is loading.
  state.constraints(result.query.target);
  const Predictor::State::Lease asked = state.lease();
  const Clock::time_point begin = Clock::now();
  Explainer explainer(state, *asked, options, result);
  explainer.stand();
  explainer.find_reasons();
  explainer.count_reasons();
  explainer.find_needed();
  if (!result.predicted && options.missing > 0) {
    explainer.find_missing([&](const Fact& missing) { return predictor.split_of(missing); });
  }
  result.seconds = seconds_since(begin);
  return result;
}

Result<WhatIf> what_if(const Predictor& predictor, const Fact& fact, std::span<const Fact> hide,
                       std::span<const Fact> add, const ExplainOptions& options) {
  LERP_CHECK(check_options(options));
  Predictor::State& state = predictor.state();
  const Query query = query_of(state, fact, options);
  const EntityId answer = options.direction == "tail" ? fact.object : fact.subject;
  std::vector<Fact> hidden(hide.begin(), hide.end());
  if (!options.with_fact && state.graph.contains(fact)) hidden.push_back(fact);
  const Predictor::State::Lease asked = state.lease();
  WhatIf result;
  if (add.empty()) {
    const std::optional<double> probability = state.probability(*asked, fact, hidden);
    (*asked).ask(query, hidden);
    result.standing = state.candidates(*asked).standing(answer);
    result.standing.probability = probability;
  } else {
    const Graph more = with_facts(state, add);
    result.exact = !state.model.shape().constants || counts_quickly(more);
    (*asked).ask(query, hidden);
    MaskedModel model(*asked, more, add, result.exact);
    result.standing =
        Candidates(model.ask(query, hidden), state.answers(query), state.model.shape().evidence)
            .standing(answer);
  }
  result.predicted = is_predicted(result.standing, options);
  return result;
}

}  // namespace lerpp
