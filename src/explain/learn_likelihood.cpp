// SPDX-License-Identifier: Apache-2.0
#include "explain/learn_likelihood.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/random.hpp"

namespace lerpp {
namespace {

/// Questions that are asked: drawn as people ask, and drawn from the held-out facts.
constexpr std::size_t drawn_questions = 3000;
constexpr std::size_t held_questions = 2000;
/// Candidates of each.
constexpr std::size_t candidates_each = 8;
constexpr std::uint64_t question_seed = 20230501;
/// Of a graph without validation facts, the share of the facts that is held out, and at most.
constexpr double held_share = 0.1;
constexpr std::size_t most_held = 5000;

/// The facts that are true and not known, as far as anybody can tell.
struct HeldOut {
  std::vector<Fact> facts;     ///< sorted
  std::optional<double> part;  ///< of all that are true and not known, if that can be told

  bool has(const Fact& fact) const { return std::ranges::binary_search(facts, fact); }
};

/// Learns on one graph.
class LikelihoodLearner {
 public:
  LikelihoodLearner(const Judge& judge, const HeldOut& held)
      : judge_(judge), held_(held), relations_(judge.graph().relations()) {}

  Result<Likelihood> learn(const Observer& observer) {
    draw();
    std::vector<Query> queries;
    queries.reserve(weights_.size());
    for (const auto& [query, weight] : weights_) queries.push_back(query);
    LERP_TRY(lists, judge_.best(queries, candidates_each, observer));
    std::vector<Judged> judged;
    double sum = 0;
    for (std::size_t at = 0; at < queries.size(); ++at) {
      const double weight = weights_[queries[at]];
      for (const CandidateFact& one : lists[at]) {
        if (one.fact.subject == one.fact.object) continue;  // Habits speaks of these
        judged.push_back({judge_.features(one), one.fact.relation, weight, held_.has(one.fact)});
        sum += weight;
      }
    }
    for (Judged& one : judged) one.weight *= static_cast<double>(judged.size()) / sum;
    return held_.part ? Likelihood::learn(judged, relations_, *held_.part)
                      : Likelihood::learn(judged, relations_);
  }

 private:
  /// Most questions have nothing left to find. Those that have are drawn apart, and weigh as much
  /// less as they are drawn more often.
  void draw() {
    const Graph& graph = judge_.graph();
    const std::vector<Query> drawn =
        draw_questions(judge_.habits(), graph, drawn_questions, question_seed);
    std::map<Query, double> answers;  // of the held-out facts
    for (const Fact& fact : held_.facts) {
      ++answers[tail_query(fact)];
      ++answers[head_query(fact, relations_)];
    }
    for (const Query& query : drawn) {
      if (!answers.contains(query)) weights_[query] += 1.0 / static_cast<double>(drawn.size());
    }
    double people = 0;
    for (EntityId entity = 0; entity < graph.entities(); ++entity)
      people += graph.edges(entity).empty() ? 0 : 1;
    Random random(question_seed, 1);
    const auto facts = static_cast<double>(held_.facts.size());
    for (std::size_t i = 0; i < held_questions && !held_.facts.empty(); ++i) {
      const Fact& fact = held_.facts[random.below(held_.facts.size())];
      const Query query = random.below(2) == 0 ? tail_query(fact) : head_query(fact, relations_);
      const std::vector<OperatorId> suited = judge_.habits().suited(query.start);
      if (!std::ranges::binary_search(suited, query.target)) continue;
      const double by_people = 1 / (people * static_cast<double>(suited.size()));
      const double by_facts = answers[query] / (2 * facts);
      weights_[query] += by_people / by_facts / static_cast<double>(held_questions);
    }
  }

  const Judge& judge_;
  const HeldOut& held_;
  RelationId relations_;
  std::map<Query, double> weights_;
};

HeldOut validation_facts(const Dataset& dataset, const Graph& graph) {
  HeldOut held;
  for (const Fact& fact : dataset[Split::valid]) {
    if (!graph.contains(fact)) held.facts.push_back(fact);
  }
  std::ranges::sort(held.facts);
  const auto valid = static_cast<double>(held.facts.size());
  const auto test = static_cast<double>(dataset[Split::test].size());
  // How many test facts there are is a matter of how the data was cut, and tells of none of them.
  if (test > 0) held.part = valid / (valid + test);
  return held;
}

/// The same dataset, some of its known facts taken out.
Dataset take_out(const KnownGraph& known, std::vector<Fact>& taken) {
  Dataset rest;
  const Dataset& all = known.dataset();
  rest.name = all.name;
  rest.entities = all.entities;
  rest.relations = all.relations;
  std::vector<Fact>& facts = rest[Split::train];
  for (const Split split : all_splits) {
    const std::span<const Fact> some = all.known_facts(split, known.splits());
    facts.insert(facts.end(), some.begin(), some.end());
  }
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  Random random(question_seed, 2);
  std::vector<Fact> order = facts;
  random.shuffle(order);
  order.resize(std::min(most_held,
                        static_cast<std::size_t>(held_share * static_cast<double>(order.size()))));
  std::ranges::sort(order);
  std::erase_if(facts, [&](const Fact& fact) { return std::ranges::binary_search(order, fact); });
  taken = std::move(order);
  return rest;
}

}  // namespace

std::vector<Query> draw_questions(const Habits& habits, const Graph& graph, std::size_t count,
                                  std::uint64_t seed) {
  std::vector<EntityId> people;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    if (!graph.edges(entity).empty()) people.push_back(entity);
  }
  std::vector<Query> queries;
  if (people.empty()) return queries;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const EntityId start = people[random.below(people.size())];
    const std::vector<OperatorId> suited = habits.suited(start);
    queries.push_back({suited[random.below(suited.size())], start});
  }
  return queries;
}

Result<Likelihood> learn_likelihood(const Model& model, const KnownGraph& known, unsigned threads,
                                    const Observer& observer) {
  const HeldOut valid = validation_facts(known.dataset(), known.graph());
  if (!valid.facts.empty()) {
    const Judge judge(model, known, threads, observer);
    if (observer.stopped()) return fail_stopped("learning probabilities");
    return LikelihoodLearner(judge, valid).learn(observer);
  }
  HeldOut taken;
  const KnownGraph rest(take_out(known, taken.facts), KnownSplits::train, threads);
  const Judge judge(model, rest, threads, observer);
  if (observer.stopped()) return fail_stopped("learning probabilities");
  return LikelihoodLearner(judge, taken).learn(observer);
}

}  // namespace lerpp
