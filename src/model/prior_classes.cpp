// SPDX-License-Identifier: Apache-2.0
#include "model/prior_classes.hpp"

#include <algorithm>
#include <limits>

namespace lerpp {
namespace {

using Feature = PriorClasses::Feature;

/// The runs of equal operators in a row of edges.
void count(std::span<const Edge> edges, std::vector<Feature>& out) {
  out.clear();
  for (const Edge& edge : edges) {
    if (out.empty() || out.back().op != edge.op) out.push_back({edge.op, 0});
    ++out.back().times;
  }
}

/// Entities after which the observer is asked again.
constexpr EntityId asked_after = 1U << 14U;

/// Features at the most: memory that is only set aside costs nothing, and growing would cost twice.
std::size_t run_count(const Graph& graph, const Observer& observer) {
  std::size_t runs = 0;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    if (entity % asked_after == 0 && observer.stopped()) break;
    const std::span<const Edge> edges = graph.edges(entity);
    for (std::size_t i = 0; i < edges.size(); ++i)
      runs += i == 0 || edges[i].op != edges[i - 1].op ? 1 : 0;
  }
  return runs;
}

std::uint64_t hash_of(std::span<const Feature> features) {
  std::uint64_t hash = features.size();
  for (const Feature& feature : features) {
    hash = (hash ^ (std::uint64_t{feature.op} << 32U | feature.times)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

/// Classes by the hash of their features: 8 bytes a slot, at most half of them taken.
class ClassIndex {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The class with this hash that `is(number)` finds to be the same, or else the slot for it.
  template <class Same>
  std::uint32_t& find(std::uint64_t hash, Same&& same) {
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].number != none && !(slots_[at].tag == tag && same(slots_[at].number)))
      at = (at + 1) & (slots_.size() - 1);
    slots_[at].tag = tag;
    return slots_[at].number;
  }
  bool full(std::size_t classes) const { return 2 * classes >= slots_.size(); }
  /// Twice as large and empty: the owner puts its classes in again.
  void grow() { slots_.assign(2 * slots_.size(), {}); }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = none;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
};

}  // namespace

PriorClasses::PriorClasses(const Graph& graph, const Observer& observer)
    : of_entity_(graph.entities()) {
  // On a large graph nearly every entity is a class of its own: the features are written where they
  // stay, and the index knows no more than their hashes.
  ClassIndex index;
  std::vector<Feature> own;
  starts_.reserve(graph.entities() + std::size_t{1});
  features_.reserve(run_count(graph, observer));
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    if (entity % asked_after == 0 && observer.stopped()) return;
    count(graph.edges(entity), own);
    std::uint32_t& number = index.find(hash_of(own), [&](std::uint32_t other) {
      return std::ranges::equal(features(other), own);
    });
    const auto fresh = static_cast<std::uint32_t>(size());
    if (number == ClassIndex::none) {
      number = fresh;
      features_.insert(features_.end(), own.begin(), own.end());
      starts_.push_back(features_.size());
    }
    of_entity_[entity] = number;
    if (size() == fresh || !index.full(size())) continue;
    index.grow();
    const auto differs = [](std::uint32_t) { return false; };
    for (std::uint32_t old = 0; old < size(); ++old) {
      if (old % asked_after == 0 && observer.stopped()) return;
      index.find(hash_of(features(old)), differs) = old;
    }
  }
}

}  // namespace lerpp
