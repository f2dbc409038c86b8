// SPDX-License-Identifier: Apache-2.0
#include "embed/choose_mix.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "embed/embedding_mix.hpp"
#include "model/embedding_term.hpp"

namespace lerpp {
namespace {

/// Few numbers are chosen, so few queries do; a query costs some dozens of passes over all
/// entities.
constexpr std::size_t most_facts = 1000;
constexpr std::size_t least_facts = 100;
constexpr std::size_t most_scores = std::size_t{1} << 25U;
/// Queries of a target that are scored together.
constexpr std::size_t together = 16;

/// Facts spread over the split, in both directions, by target.
std::vector<EmbeddingQuery> sample(const Dataset& dataset) {
  const std::vector<Fact>& facts = dataset[Split::valid];
  const std::size_t affordable = most_scores / 2 / std::max(1U, dataset.entities.size());
  const std::size_t count = std::min(facts.size(), std::clamp(affordable, least_facts, most_facts));
  std::vector<EmbeddingQuery> queries;
  for (std::size_t i = 0; i < count; ++i) {
    const Fact& fact = facts[i * facts.size() / count];
    queries.push_back({fact.relation, fact.subject, fact.object});
    queries.push_back({dataset.relations.size() + fact.relation, fact.object, fact.subject});
  }
  std::stable_sort(queries.begin(), queries.end(),
                   [](const auto& a, const auto& b) { return a.target < b.target; });
  return queries;
}

/// What is to be mixed with the rules, without a mix: scores of all entities.
using Added = std::function<std::span<const float>(OperatorId target, EntityId start)>;

/// Shows some queries to a mix.
class MixWorker {
 public:
  MixWorker(const Scorer& rules, const Graph& known, Added added)
      : rules_(rules), known_(known), added_(std::move(added)), mix_(known.operators()) {}

  /// Queries of one target.
  void add(std::span<const EmbeddingQuery> queries) {
    const OperatorId target = queries.front().target;
    asked_.clear();
    for (const EmbeddingQuery& query : queries) asked_.push_back({target, query.start});
    if (scores_.size() < queries.size()) scores_.resize(queries.size());
    rules_.score(asked_, {scores_.data(), queries.size()});
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const EntityId start = queries[i].start;
      mix_.add(target, scores_[i].values, added_(target, start), queries[i].answer,
               known_.edges(start, target));
    }
  }
  const EmbeddingMix& mix() const { return mix_; }

 private:
  const Scorer& rules_;
  const Graph& known_;
  Added added_;
  EmbeddingMix mix_;
  std::vector<Query> asked_;
  std::vector<Scores> scores_;
};

/// `make()` gives each worker what it adds to the rules.
Result<EmbeddingMix> weigh(const Scorer& rules, const Dataset& dataset, Team& team,
                           const Observer& observer, const std::function<Added()>& make) {
  const std::vector<EmbeddingQuery> queries = sample(dataset);
  // Of the test facts nothing may be known here, not even by leaving them out.
  const Graph known = dataset.known_graph(KnownSplits::train_and_valid, team.size());
  std::vector<MixWorker> workers;
  for (unsigned worker = 0; worker < team.size(); ++worker)
    workers.emplace_back(rules, known, make());
  // A target is one worker's affair: its losses are added up in the same order whatever the
  // threads.
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (i == 0 || queries[i].target != queries[i - 1].target) starts.push_back(i);
  }
  starts.push_back(queries.size());
  team.each(starts.size() - 1, [&](unsigned worker, std::size_t item) {
    const std::size_t end = starts[item + 1];
    for (std::size_t first = starts[item]; first < end && !observer.stopped(); first += together) {
      workers[worker].add(std::span(queries).subspan(first, std::min(together, end - first)));
    }
  });
  if (observer.stopped()) {
    return fail_stopped("weighing the embedding");
  }
  EmbeddingMix mix(known.operators());
  for (const MixWorker& worker : workers) mix.add(worker.mix());
  return mix;
}

/// The embedding of a model, as one worker asks it.
struct OwnTerm {
  Team alone{1};
  EmbeddingTerm<float> term{alone};
};

}  // namespace

Result<void> choose_mix(const Scorer& rules, const Dataset& dataset, Team& team,
                        const Observer& observer, Parameters<float>& embedding) {
  LERP_TRY(mix, weigh(rules, dataset, team, observer, [&]() -> Added {
             return [&embedding, own = std::make_shared<OwnTerm>()](OperatorId target,
                                                                    EntityId start) {
               own->term.begin(embedding, target);
               return own->term.scores(0, start);
             };
           }));
  mix.store(embedding);
  return {};
}

Result<std::vector<float>> choose_mix(const Scorer& rules, const Scorer& other,
                                      const Dataset& dataset, Team& team,
                                      const Observer& observer) {
  LERP_TRY(mix, weigh(rules, dataset, team, observer, [&]() -> Added {
             return [&other, scores = std::vector<Scores>(1)](OperatorId target,
                                                              EntityId start) mutable {
               const Query query{target, start};
               other.score({&query, 1}, scores);
               return std::span<const float>(scores.front().values);
             };
           }));
  return mix.choose();
}

}  // namespace lerpp
