// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/clock.hpp"
#include "explain/candidates.hpp"
#include "explain/predictor_state.hpp"

namespace lerpp {
namespace {

/// How far below the last answer that is shown another may stand by its score and still be more
/// likely than one that is shown.
std::size_t looked_at(std::uint32_t top) {
  constexpr std::size_t further = 20;
  return std::size_t{top} + further;
}

}  // namespace

std::optional<double> Predictor::State::probability(MaskedModel& asked, const Fact& fact,
                                                    std::span<const Fact> hidden) const {
  if (!likelihood) return std::nullopt;
  return judgement(asked, fact, hidden).probability;
}

Predictor::State::Judgement Predictor::State::judgement(MaskedModel& asked, const Fact& fact,
                                                        std::span<const Fact> hidden) const {
  const bool is_hidden = graph.contains(fact) && std::ranges::find(hidden, fact) != hidden.end();
  DenseAnswers answers(model.shape().evidence);
  const auto side = [&](const Query& query, EntityId answer) {
    answers.take(asked.ask(query, hidden), graph.entities());
    answers.know(graph.edges(query.start, query.target));
    return answers.side(answer);
  };
  CandidateFact candidate{fact, {}, {}};
  candidate.tail = side(tail_query(fact), fact.object);
  candidate.head = side(head_query(fact, graph.relations()), fact.subject);
  const bool known_fact = graph.contains(fact) && !is_hidden;
  return {known_fact ? 1 : judge.probability(*likelihood, candidate, is_hidden),
          candidate.tail.score};
}

double Predictor::State::probability(const CandidateFact& candidate) const {
  return graph.contains(candidate.fact) ? 1 : judge.probability(*likelihood, candidate);
}

std::string Predictor::State::objection(const Fact& fact, std::span<const Fact> hidden) const {
  const bool is_hidden = std::ranges::find(hidden, fact) != hidden.end();
  return graph.contains(fact) && !is_hidden ? "" : judge.objection(fact, is_hidden);
}

/// The answers to one question in the making.
struct Answering {
  Prediction prediction;
  std::vector<CandidateFact> candidates;  ///< of each answer
};

namespace {

/// All but the probabilities, from the answers to one question.
void begin_answer(const Predictor& predictor, const Query& query, const PredictOptions& options,
                  OpenAnswers& all, Answering& into) {
  const Predictor::State& state = predictor.state();
  const Dataset& data = state.dataset();
  const RelationId relations = data.relations.size();
  Prediction& result = into.prediction;
  result.dataset = data.name;
  result.tail = query.target < relations;
  result.relation = data.relations.name(query.target % relations);
  result.given = data.entities.name(query.start);
  result.given_label = data.entity_label(query.start);
  result.entities = data.entities.size();

  const std::span<const Edge> known = state.answers(query);
  all.know(options.known == "hide" ? known : std::span<const Edge>());
  const std::vector<EntityId> best =
      all.best(state.likelihood ? looked_at(options.top) : options.top);
  all.know(state.graph.edges(query.start, query.target));
  for (const EntityId entity : best) {
    CandidateFact& candidate = into.candidates.emplace_back();
    candidate.fact = fact_of(query, entity, relations);
    (result.tail ? candidate.tail : candidate.head) = all.side(entity);
  }
  all.know(known);
  for (const EntityId entity : best) {
    result.answers.push_back({std::string(data.entities.name(entity)),
                              data.entity_label(entity),
                              {all.score(entity), all.rank(entity), all.share(entity)},
                              predictor.split_of(into.candidates[result.answers.size()].fact)});
  }
}

/// The most likely first, and no more than asked for.
void finish_answer(const Predictor::State& state, std::size_t top, Answering& answering) {
  std::vector<Prediction::Answer>& answers = answering.prediction.answers;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < answers.size(); ++i)
    order.emplace_back(state.probability(answering.candidates[i]), i);
  std::ranges::stable_sort(order, std::greater<>(), &std::pair<double, std::size_t>::first);
  if (order.size() > top) order.resize(top);
  std::vector<Prediction::Answer> likely;
  for (const auto& [probability, i] : order) {
    likely.push_back(std::move(answers[i]));
    likely.back().standing.probability = probability;
    likely.back().objection = state.objection(answering.candidates[i].fact, {});
  }
  answers = std::move(likely);
}

}  // namespace

Prediction Predictor::predict(const Query& query, const PredictOptions& options) const {
  return std::move(predict_all({&query, 1}, options)->front());
}

Result<std::vector<Prediction>> Predictor::predict_all(std::span<const Query> queries,
                                                       const PredictOptions& options,
                                                       const Observer& observer) const {
  const Clock::time_point begin = Clock::now();
  const State& state = *state_;
  const RelationId relations = state.graph.relations();
  std::vector<Query> sorted(queries.begin(), queries.end());
  sort_queries(sorted);
  std::vector<Answering> answering(sorted.size());
  LERP_CHECK(ask_each(state.judge.asked(), sorted, "answering", observer,
                      [&](std::size_t i, OpenAnswers& answers) {
                        begin_answer(*this, sorted[i], options, answers, answering[i]);
                      }));
  if (state.likelihood) {
    std::vector<SideWanted> wanted;
    for (Answering& one : answering) {
      for (CandidateFact& candidate : one.candidates) {
        const Fact& fact = candidate.fact;
        wanted.push_back(
            one.prediction.tail
                ? SideWanted{head_query(fact, relations), fact.subject, &candidate.head}
                : SideWanted{tail_query(fact), fact.object, &candidate.tail});
      }
    }
    LERP_CHECK(state.judge.find(std::move(wanted), "asking back", observer));
    for (Answering& one : answering) finish_answer(state, options.top, one);
  }
  const double seconds =
      seconds_since(begin) / static_cast<double>(std::max<std::size_t>(1, queries.size()));
  std::vector<Prediction> predictions;
  predictions.reserve(queries.size());
  for (const Query& query : queries) {
    predictions.push_back(answering[place_of(sorted, query)].prediction);
    predictions.back().seconds = seconds;
  }
  return predictions;
}

}  // namespace lerpp
