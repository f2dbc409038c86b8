// SPDX-License-Identifier: Apache-2.0
#include "explain/judge.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/text.hpp>

#include "explain/wording.hpp"
#include "model/known_state.hpp"

namespace lerpp {
namespace {

/// Below this share of entities like it, an entity does not suit an end of a relation.
constexpr double unfit = 0.02;
/// Below this share, few have one answer more.
constexpr double few = 0.1;
/// So many must be seen before a share is told.
constexpr std::uint64_t seen = 10;

double logit(double share) {
  constexpr double most = 7;
  return std::clamp(std::log(share / std::max(1e-9, 1 - share)), -most, most);
}

/// What one direction says, each about as large as the next.
struct SideFeatures {
  double log_share, share, rank, margin, score;
};

SideFeatures features_of(const Side& side, bool evidence) {
  constexpr double most_log = 12;
  constexpr double margin_scale = 3;
  constexpr double score_scale = 8;
  const double scaled = evidence ? side.score / score_scale : 0;
  return {std::max(-most_log, side.log_share) / 4, std::exp(side.log_share),
          std::log1p(static_cast<double>(side.better)) / 2,
          evidence ? std::tanh(side.margin / margin_scale) : std::tanh(1e3 * side.margin),
          std::clamp(scaled, -2.0, 2.0)};
}

}  // namespace

Fact fact_of(const Query& query, EntityId answer, RelationId relations) {
  return query.target < relations ? Fact{query.start, query.target, answer}
                                  : Fact{answer, query.target - relations, query.start};
}

Query tail_query(const Fact& fact) {
  return {fact.relation, fact.subject};
}

Query head_query(const Fact& fact, RelationId relations) {
  return {fact.relation + relations, fact.object};
}

Judge::Judge(const Model& model, KnownGraph known, unsigned threads, const Observer& observer)
    : known_(std::move(known)),
      evidence_(model.shape().evidence),
      threads_(threads),
      scorer_(make_scorer(model, known_, threads, observer)),
      habits_(known_.graph()) {
  if (model.list) list_.emplace(known_.state().rules(model.list));
}

Result<void> Judge::find(std::vector<SideWanted> wanted, std::string_view stage,
                         const Observer& observer) const {
  std::ranges::sort(wanted, [](const SideWanted& a, const SideWanted& b) {
    return a.query != b.query ? a.query < b.query : a.answer < b.answer;
  });
  std::vector<Query> queries;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0 && wanted[i].query == wanted[i - 1].query) continue;
    queries.push_back(wanted[i].query);
    starts.push_back(i);
  }
  starts.push_back(wanted.size());
  return ask_each(asked(), queries, stage, observer,
                  [&](std::size_t at, const OpenAnswers& answers) {
                    for (std::size_t i = starts[at]; i < starts[at + 1]; ++i)
                      *wanted[i].into = answers.side(wanted[i].answer);
                  });
}

Result<std::vector<CandidateFact>> Judge::look(std::span<const Fact> facts,
                                               const Observer& observer) const {
  std::vector<CandidateFact> candidates(facts.size());
  std::vector<SideWanted> wanted;
  wanted.reserve(2 * facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    candidates[i].fact = facts[i];
    wanted.push_back({tail_query(facts[i]), facts[i].object, &candidates[i].tail});
    wanted.push_back(
        {head_query(facts[i], graph().relations()), facts[i].subject, &candidates[i].head});
  }
  LERP_CHECK(find(std::move(wanted), "asking", observer));
  return candidates;
}

Result<std::vector<std::vector<CandidateFact>>> Judge::best(std::span<const Query> queries,
                                                            std::size_t top,
                                                            const Observer& observer) const {
  const RelationId relations = graph().relations();
  std::vector<std::vector<CandidateFact>> lists(queries.size());
  LERP_CHECK(ask_each(
      asked(), queries, "asking", observer, [&](std::size_t at, const OpenAnswers& answers) {
        for (const EntityId answer : answers.best(top)) {
          CandidateFact& one = lists[at].emplace_back();
          one.fact = fact_of(queries[at], answer, relations);
          (queries[at].target < relations ? one.tail : one.head) = answers.side(answer);
        }
      }));
  std::vector<SideWanted> wanted;
  for (std::size_t at = 0; at < queries.size(); ++at) {
    const bool tail = queries[at].target < relations;
    for (CandidateFact& one : lists[at]) {
      wanted.push_back(
          tail ? SideWanted{head_query(one.fact, relations), one.fact.subject, &one.head}
               : SideWanted{tail_query(one.fact), one.fact.object, &one.tail});
    }
  }
  LERP_CHECK(find(std::move(wanted), "asking back", observer));
  return lists;
}

Features Judge::features(const CandidateFact& candidate, bool hidden) const {
  const Fact& fact = candidate.fact;
  const OperatorId back = graph().inverse(fact.relation);
  const std::size_t own = hidden ? 1 : 0;
  const SideFeatures tail = features_of(candidate.tail, evidence_);
  const SideFeatures head = features_of(candidate.head, evidence_);
  const auto more = [&](EntityId entity, OperatorId op) {
    const std::size_t answers = graph().edges(entity, op).size() - own;
    return answers == 0 ? 0 : logit(habits_.more(op, answers)) / 3;
  };
  const Habits::Fit subject = habits_.fit(fact.subject, fact.relation, own);
  const Habits::Fit object = habits_.fit(fact.object, back, own);
  return {1,
          tail.log_share,
          head.log_share,
          tail.share,
          head.share,
          tail.rank,
          head.rank,
          tail.margin,
          head.margin,
          tail.score,
          head.score,
          more(fact.subject, fact.relation),
          more(fact.object, back),
          logit(subject.best) / 3,
          logit(object.best) / 3,
          logit(subject.worst) / 3,
          logit(object.worst) / 3,
          std::min(tail.log_share, head.log_share)};
}

double Judge::probability(const Likelihood& likelihood, const CandidateFact& candidate,
                          bool hidden) const {
  const Fact& fact = candidate.fact;
  const double likely = likelihood.probability(features(candidate, hidden), fact.relation);
  return fact.subject == fact.object ? likely * habits_.loop_chance(fact.relation) : likely;
}

bool Judge::fits(const Fact& fact, bool hidden) const {
  const std::size_t own = hidden ? 1 : 0;
  return habits_.fit(fact.subject, fact.relation, own).worst >= unfit &&
         habits_.fit(fact.object, graph().inverse(fact.relation), own).worst >= unfit;
}

std::string Judge::end_objection(EntityId entity, OperatorId op, std::size_t hidden) const {
  const RelationId relations = graph().relations();
  const auto role = [&](OperatorId side) {
    return fmt::format("{} of {}", side < relations ? "subject" : "object",
                       dataset().relations.name(side % relations));
  };
  const std::string name = short_label(entity, dataset());
  const std::size_t answers = graph().edges(entity, op).size() - hidden;
  const std::uint64_t having = habits_.having(op, answers);
  if (answers > 0 && having >= seen && habits_.more(op, answers) < few) {
    const double no_more =
        1 - static_cast<double>(habits_.having(op, answers + 1)) / static_cast<double>(having);
    return fmt::format("{} is {} {} already: {:.0f} % of those are in no more", name, role(op),
                       answers == 1 ? "once" : fmt::format("{} times", answers), 100 * no_more);
  }
  const Habits::Fit fit = habits_.fit(entity, op, hidden);
  if (fit.worst < unfit && habits_.having(fit.against, 1) >= seen) {
    return fmt::format("{} is {}: of {} such, {:.1f} % are {}", name, role(fit.against),
                       thousands(habits_.having(fit.against, 1)), 100 * fit.worst, role(op));
  }
  return {};
}

std::string Judge::objection(const Fact& fact, bool hidden) const {
  const std::uint64_t loops = habits_.loops(fact.relation);
  if (fact.subject == fact.object && loops == 0) {
    return fmt::format("no loop among {} facts of {}", thousands(habits_.facts(fact.relation)),
                       dataset().relations.name(fact.relation));
  }
  const std::size_t own = hidden ? 1 : 0;
  std::string text = end_objection(fact.subject, fact.relation, own);
  const std::string other = end_objection(fact.object, graph().inverse(fact.relation), own);
  if (!text.empty() && !other.empty()) text += "; ";
  return text + other;
}

}  // namespace lerpp
