// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>

#include <lerp/base/json.hpp>
#include <lerp/eval/rank_changes.hpp>

namespace lerpp {
namespace {

/// How far a question moves the MRR.
double reach(const RankChange& change) {
  return std::abs(1 / change.after.realistic() - 1 / change.before.realistic());
}

Measures means(std::span<const Rank> ranks) {
  Measures sums;
  for (const Rank& rank : ranks) {
    const double place = rank.realistic();
    sums.mrr += 1 / place;
    sums.hits_at_1 += place <= 1 ? 1 : 0;
    sums.hits_at_3 += place <= 3 ? 1 : 0;
    sums.hits_at_10 += place <= 10 ? 1 : 0;
    sums.mean_rank += place;
  }
  const double count = std::max<double>(1, static_cast<double>(ranks.size()));
  for (double* sum :
       {&sums.mrr, &sums.hits_at_1, &sums.hits_at_3, &sums.hits_at_10, &sums.mean_rank}) {
    *sum /= count;
  }
  return sums;
}

Json measures_json(const Measures& measures) {
  return {{"mrr", measures.mrr},
          {"hits_at_1", measures.hits_at_1},
          {"hits_at_3", measures.hits_at_3},
          {"hits_at_10", measures.hits_at_10},
          {"mean_rank", measures.mean_rank}};
}

Json entity_json(const Dataset& dataset, EntityId entity) {
  return {{"name", dataset.entities.name(entity)}, {"label", dataset.entity_label(entity)}};
}

}  // namespace

RankChanges rank_changes(std::span<const Fact> facts, std::span<const Rank> before,
                         std::span<const Rank> after) {
  assert(before.size() == 2 * facts.size() && after.size() == before.size());
  RankChanges found;
  found.questions = before.size();
  found.before = means(before);
  found.after = means(after);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double change = after[i].realistic() - before[i].realistic();
    if (change == 0) continue;
    ++(change < 0 ? found.better : found.worse);
    found.changes.push_back({facts[i / 2], i % 2 == 0, before[i], after[i]});
  }
  std::ranges::stable_sort(found.changes, [](const RankChange& left, const RankChange& right) {
    return reach(left) > reach(right);
  });
  return found;
}

Json to_json(const RankChanges& changes, const Dataset& dataset, std::size_t top) {
  Json json = {{"questions", changes.questions},
               {"before", measures_json(changes.before)},
               {"after", measures_json(changes.after)},
               {"better", changes.better},
               {"worse", changes.worse},
               {"changes", Json::array()}};
  for (std::size_t i = 0; i < std::min(top, changes.changes.size()); ++i) {
    const RankChange& change = changes.changes[i];
    json["changes"].push_back({{"head", entity_json(dataset, change.fact.subject)},
                               {"relation", dataset.relations.name(change.fact.relation)},
                               {"tail", entity_json(dataset, change.fact.object)},
                               {"asked", change.tail ? "tail" : "head"},
                               {"before", change.before.realistic()},
                               {"after", change.after.realistic()}});
  }
  return json;
}

}  // namespace lerpp
