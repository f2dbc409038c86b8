#include "train/choose_mix.hpp"

#include <algorithm>

#include <lerp/base/parallel.hpp>

#include "model/embedding_mix.hpp"
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

/// Shows some queries to a mix.
class MixWorker {
 public:
  MixWorker(const Scorer& rules, const Graph& known, const Parameters<float>& embedding)
      : rules_(rules), known_(known), embedding_(embedding), mix_(known.operators()) {}

  /// Queries of one target.
  void add(std::span<const EmbeddingQuery> queries) {
    const OperatorId target = queries.front().target;
    asked_.clear();
    for (const EmbeddingQuery& query : queries) asked_.push_back({target, query.start});
    if (scores_.size() < queries.size()) scores_.resize(queries.size());
    rules_.score(asked_, {scores_.data(), queries.size()});
    term_.begin(embedding_, target, nullptr);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const EntityId start = queries[i].start;
      mix_.add(target, scores_[i].values, term_.scores(0, start), queries[i].answer,
               known_.edges(start, target));
    }
  }
  const EmbeddingMix& mix() const { return mix_; }

 private:
  const Scorer& rules_;
  const Graph& known_;
  const Parameters<float>& embedding_;
  Team alone_{1};
  EmbeddingTerm<float> term_{alone_};
  EmbeddingMix mix_;
  std::vector<Query> asked_;
  std::vector<Scores> scores_;
};

}  // namespace

Result<void> choose_mix(const Scorer& rules, const Dataset& dataset, Team& team,
                        const Observer& observer, Parameters<float>& embedding) {
  const std::vector<EmbeddingQuery> queries = sample(dataset);
  // Of the test facts nothing may be known here, not even by leaving them out.
  const Graph known = dataset.known_graph(true, team.size());
  std::vector<std::unique_ptr<MixWorker>> workers;
  for (unsigned worker = 0; worker < team.size(); ++worker)
    workers.push_back(std::make_unique<MixWorker>(rules, known, embedding));
  team.run([&](unsigned worker) {
    const auto [begin, end] = slice(queries.size(), worker, team.size());
    for (std::size_t first = begin; first < end && !observer.stopped();) {
      std::size_t last = first + 1;
      while (last < end && last - first < together && queries[last].target == queries[first].target)
        ++last;
      workers[worker]->add(std::span(queries).subspan(first, last - first));
      first = last;
    }
  });
  if (observer.stopped()) {
    return fail("stopped while weighing the embedding", "", "", ErrorKind::interrupted);
  }
  EmbeddingMix mix(known.operators());
  for (const auto& worker : workers) mix.add(worker->mix());
  mix.store(embedding);
  return {};
}

}  // namespace lerpp
