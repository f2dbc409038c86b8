// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

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

/// Of every entity.
void make_dense(Scores& scores, EntityId entities) {
  if (scores.is_dense()) return;
  std::vector<float> all(entities, scores.rest);
  for (std::size_t i = 0; i < scores.entities.size(); ++i)
    all[scores.entities[i]] = scores.values[i];
  scores.entities.clear();
  scores.values = std::move(all);
}

/// The best entities by score, those of `left_out` not among them.
std::vector<EntityId> best_by_score(const Scores& scores, std::span<const Edge> left_out,
                                    std::size_t count) {
  std::vector<EntityId> order(scores.values.size());
  std::iota(order.begin(), order.end(), EntityId{0});
  for (const Edge& edge : left_out) order[edge.target] = Vocabulary::none;
  std::erase(order, Vocabulary::none);
  count = std::min(count, order.size());
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), end, order.end(), [&](EntityId a, EntityId b) {
    const float left = scores.values[a];
    const float right = scores.values[b];
    return left != right ? left > right : a < b;
  });
  order.resize(count);
  return order;
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
  OpenAnswers answers(model.shape().evidence);
  const auto side = [&](const Query& query, EntityId answer) {
    answers.take(asked.ask(query, hidden), graph.entities(),
                 graph.edges(query.start, query.target));
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

/// All but the probabilities, from the scores of one question.
void begin_answer(const Predictor& predictor, const Query& query, const PredictOptions& options,
                  Scores scores, const OpenAnswers& open, Answering& into) {
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

  make_dense(scores, data.entities.size());
  const std::span<const Edge> known = state.answers(query);
  const Candidates candidates(scores, known, state.model.shape().evidence);
  const bool hide = options.known == "hide";
  const std::size_t count = state.likelihood ? looked_at(options.top) : options.top;
  for (const EntityId entity :
       best_by_score(scores, hide ? known : std::span<const Edge>(), count)) {
    CandidateFact& candidate = into.candidates.emplace_back();
    candidate.fact = fact_of(query, entity, relations);
    (result.tail ? candidate.tail : candidate.head) = open.side(entity);
    result.answers.push_back({std::string(data.entities.name(entity)), data.entity_label(entity),
                              candidates.standing(entity), predictor.split_of(candidate.fact)});
  }
}

/// The most likely first, and no more than asked for.
void finish_answer(const Predictor::State& state, std::size_t top, Answering& answering) {
  std::vector<Prediction::Answer>& answers = answering.prediction.answers;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].standing.probability = state.probability(answering.candidates[i]);
    answers[i].objection = state.objection(answering.candidates[i].fact, {});
  }
  std::ranges::stable_sort(answers, [](const auto& a, const auto& b) {
    return *a.standing.probability > *b.standing.probability;
  });
  if (answers.size() > top)
    answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(top), answers.end());
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
                      [&](std::size_t i, const Scores& scores, const OpenAnswers& open) {
                        begin_answer(*this, sorted[i], options, scores, open, answering[i]);
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
