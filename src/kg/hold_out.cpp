// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <lerp/kg/import.hpp>

namespace lerpp {
namespace {

/// SplitMix64. Written out because the standard's distributions differ between libraries, and a
/// seed must mean the same facts everywhere.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }

 private:
  std::uint64_t state_;
};

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Generator generator(seed);
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[generator() % left]);
  }
  return order;
}

/// How often each entity and relation is known, kept while facts leave.
class Uses {
 public:
  explicit Uses(const Dataset& dataset)
      : entities_(dataset.entities.size()), relations_(dataset.relations.size()) {
    for (const Split split : {Split::facts, Split::train}) {
      for (const Fact& fact : dataset[split]) count(fact, 1);
    }
  }

  bool spares(const Fact& fact) const {
    return entities_[fact.subject] > 1 && entities_[fact.object] > 1 &&
           relations_[fact.relation] > 1;
  }
  void drop(const Fact& fact) { count(fact, -1); }

 private:
  void count(const Fact& fact, std::int64_t by) {
    entities_[fact.subject] += by;
    if (fact.object != fact.subject) entities_[fact.object] += by;
    relations_[fact.relation] += by;
  }

  std::vector<std::int64_t> entities_;
  std::vector<std::int64_t> relations_;
};

}  // namespace

void hold_out(Dataset& dataset, const HoldoutOptions& options) {
  std::vector<Fact>& train = dataset[Split::train];
  const auto wish = [&](double share) {
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(train.size())));
  };
  const std::size_t valid_wish = wish(options.valid);
  const std::size_t wished = valid_wish + wish(options.test);

  // Rounded to the nearest: of a relation with a few facts, none is held out.
  std::vector<std::size_t> quota(dataset.relations.size(), train.size());
  if (options.by_relation) {
    std::vector<double> counts(quota.size());
    for (const Fact& fact : train) ++counts[fact.relation];
    const double share = options.valid + options.test;
    std::transform(counts.begin(), counts.end(), quota.begin(), [&](double count) {
      return static_cast<std::size_t>(std::llround(share * count));
    });
  }

  // A fact that `facts` repeats would still be known.
  const Graph facts(dataset.entities.size(), dataset.relations.size(), {dataset[Split::facts]});
  Uses uses(dataset);
  std::vector<std::size_t> held;
  for (const std::size_t place : shuffled(train.size(), options.seed)) {
    if (held.size() == wished) break;
    const Fact& fact = train[place];
    if (quota[fact.relation] == 0 || !uses.spares(fact) || facts.contains(fact)) continue;
    --quota[fact.relation];
    uses.drop(fact);
    held.push_back(place);
  }

  // Where the graph could not spare enough, both splits are short alike.
  const std::size_t valid_count =
      held.size() == wished
          ? valid_wish
          : static_cast<std::size_t>(static_cast<double>(held.size()) *
                                     static_cast<double>(valid_wish) / static_cast<double>(wished));
  std::vector<Split> destination(train.size(), Split::train);
  for (std::size_t i = 0; i < held.size(); ++i) {
    destination[held[i]] = i < valid_count ? Split::valid : Split::test;
  }
  std::vector<Fact> kept;
  kept.reserve(train.size() - held.size());
  for (std::size_t place = 0; place < train.size(); ++place) {
    const Split split = destination[place];
    (split == Split::train ? kept : dataset[split]).push_back(train[place]);
  }
  train = std::move(kept);
}

}  // namespace lerpp
