// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <lerp/kg/stats.hpp>

#include "kg/pair_counts.hpp"

namespace lerpp {
namespace {

constexpr std::size_t index_of(Split split) {
  return static_cast<std::size_t>(split);
}

/// What is seen in training: named by a fact of `facts` or `train`.
struct Seen {
  std::vector<std::uint8_t> entities;
  std::vector<std::uint8_t> relations;

  explicit Seen(const Dataset& dataset)
      : entities(dataset.entities.size()), relations(dataset.relations.size()) {
    for (const Split split : {Split::facts, Split::train}) {
      for (const Fact& fact : dataset[split]) {
        entities[fact.subject] = 1;
        entities[fact.object] = 1;
        relations[fact.relation] = 1;
      }
    }
  }

  bool has(const Fact& fact) const {
    return entities[fact.subject] != 0 && entities[fact.object] != 0;
  }
};

std::uint64_t count_unseen_entities(const Dataset& dataset, const Seen& seen) {
  std::vector<std::uint8_t> counted = seen.entities;
  std::uint64_t unseen = 0;
  for (const Split split : {Split::valid, Split::test}) {
    for (const Fact& fact : dataset[split]) {
      for (const EntityId entity : {fact.subject, fact.object}) {
        if (counted[entity] != 0) continue;
        counted[entity] = 1;
        ++unseen;
      }
    }
  }
  return unseen;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Stats::SplitStats split_statistics(const Dataset& dataset, Split split, const Seen& seen,
                                   const PairCounts& pairs) {
  Stats::SplitStats result;
  result.split = split;
  result.facts = dataset[split].size();
  result.repeated = dataset.repeated[index_of(split)];
  for (const Fact& fact : dataset[split]) {
    result.unseen_entity += seen.has(fact) ? 0 : 1;
    result.unseen_relation += seen.relations[fact.relation] != 0 ? 0 : 1;
  }
  result.known = pairs.known[index_of(split)];
  result.inverse_known = share(pairs.inverse_known[index_of(split)], result.facts);
  result.pair_known = share(pairs.pair_known[index_of(split)], result.facts);
  return result;
}

Stats::Degrees degree_statistics(const Dataset& dataset, std::vector<std::uint32_t> degrees) {
  Stats::Degrees result;
  if (degrees.empty()) return result;
  const auto max = std::max_element(degrees.begin(), degrees.end());
  const auto max_entity = static_cast<EntityId>(max - degrees.begin());
  result.max = *max;
  if (result.max > 0) {
    result.max_entity = dataset.entities.name(max_entity);
    result.max_label = dataset.entity_label(max_entity);
  }
  result.isolated = static_cast<std::uint64_t>(std::count(degrees.begin(), degrees.end(), 0U));
  std::uint64_t sum = 0;
  for (const std::uint32_t degree : degrees) sum += degree;
  result.mean = share(sum, degrees.size());
  // The smallest degree that at least this share of the entities does not exceed.
  const auto percentile = [&](double of) {
    const double count = std::ceil(of * static_cast<double>(degrees.size()));
    const auto place = degrees.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(degrees.begin(), place, degrees.end());
    return *place;
  };
  result.median = percentile(0.5);
  result.percentile_99 = percentile(0.99);
  return result;
}

/// In a row of the graph each run of one operator is one distinct subject, or object, of it.
std::vector<Stats::Relation> relation_statistics(const Dataset& dataset, unsigned threads,
                                                 const Observer& observer) {
  const Graph graph = dataset.full_graph(threads, observer);
  const RelationId relations = graph.relations();
  std::vector<std::uint64_t> facts(graph.operators());
  std::vector<std::uint64_t> runs(graph.operators());
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    OperatorId last = graph.operators();
    for (const Edge& edge : graph.edges(entity)) {
      ++facts[edge.op];
      if (edge.op != last) ++runs[edge.op];
      last = edge.op;
    }
  }
  std::vector<Stats::Relation> result(relations);
  for (RelationId id = 0; id < relations; ++id) {
    result[id].name = dataset.relations.name(id);
    result[id].facts = facts[id];
    result[id].objects_per_subject = share(facts[id], runs[id]);
    result[id].subjects_per_object = share(facts[id], runs[relations + id]);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.facts > b.facts; });
  return result;
}

}  // namespace

Result<Stats> statistics(const Dataset& dataset, unsigned threads, const Observer& observer) {
  const Seen seen(dataset);
  PairCounts pairs = count_pairs(dataset, threads, observer);
  if (observer.stopped()) return fail_stopped("counting", dataset.name);
  Stats stats;
  stats.dataset = dataset.name;
  stats.format = dataset.format;
  stats.notes = dataset.notes;
  stats.entities = dataset.entities.size();
  stats.relations = dataset.relations.size();
  stats.named = dataset.entity_texts.size();
  stats.unseen_entities = count_unseen_entities(dataset, seen);
  stats.empty_relations = static_cast<std::uint64_t>(
      std::count(seen.relations.begin(), seen.relations.end(), std::uint8_t{0}));
  for (const Split split : all_splits) {
    if (dataset[split].empty()) continue;
    stats.splits.push_back(split_statistics(dataset, split, seen, pairs));
  }
  for (const Split first : all_splits) {
    for (const Split second : all_splits) {
      const std::uint64_t facts = pairs.overlaps[index_of(first)][index_of(second)];
      if (first < second && facts > 0) stats.overlaps.push_back({first, second, facts});
    }
  }
  stats.degrees = degree_statistics(dataset, std::move(pairs.degrees));
  stats.by_relation = relation_statistics(dataset, threads, observer);
  if (observer.stopped()) return fail_stopped("counting", dataset.name);
  return stats;
}

Transfer transfer(const Dataset& learned, const Dataset& asked) {
  Transfer result;
  result.learned = learned.name;
  result.asked = asked.name;
  for (EntityId id = 0; id < asked.entities.size(); ++id) {
    result.shared_entities += learned.entities.find(asked.entities.name(id)) ? 1 : 0;
  }
  const Seen seen(learned);
  std::vector<std::uint8_t> is_new(asked.relations.size());
  std::vector<std::uint8_t> is_asked(asked.relations.size());
  for (RelationId id = 0; id < asked.relations.size(); ++id) {
    const auto same = learned.relations.find(asked.relations.name(id));
    result.shared_relations += same ? 1 : 0;
    is_new[id] = same && seen.relations[*same] != 0 ? 0 : 1;
  }
  for (const Fact& fact : asked[Split::test]) {
    if (is_new[fact.relation] == 0) continue;
    ++result.new_relation_facts;
    if (is_asked[fact.relation] == 0) ++result.new_relations;
    is_asked[fact.relation] = 1;
  }
  return result;
}

}  // namespace lerpp
