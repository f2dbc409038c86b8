// SPDX-License-Identifier: Apache-2.0
#include "kg/pair_counts.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <tuple>

#include <lerp/base/parallel.hpp>

#include "base/pieces.hpp"

namespace lerpp {
namespace {

constexpr unsigned bit(Split split) {
  return 1U << static_cast<unsigned>(split);
}
constexpr unsigned known_bits = bit(Split::facts) | bit(Split::train);

/// A fact in the row of its smaller entity. Sorted, all facts between two entities stand together,
/// then those of one direction, then the same fact of several splits.
struct Item {
  EntityId larger;
  RelationId relation;
  std::uint16_t backwards;  ///< 1 where the larger entity is the subject
  std::uint16_t split;

  auto key() const { return std::tuple(larger, backwards, relation, split); }
  bool operator<(const Item& other) const { return key() < other.key(); }
};

/// Calls `action(row, item)` for the facts whose smaller entity lies in [first, last). False where
/// it was stopped.
template <class Action>
bool for_each_item(const Dataset& dataset, std::size_t first, std::size_t last,
                   const Observer& observer, Action&& action) {
  for (const Split split : all_splits) {
    const auto look = [&](std::size_t from, std::size_t to) {
      for (const Fact& fact : std::span(dataset[split]).subspan(from, to - from)) {
        const auto [smaller, larger] = std::minmax(fact.subject, fact.object);
        if (smaller < first || smaller >= last) continue;
        action(smaller - first,
               Item{larger, fact.relation,
                    static_cast<std::uint16_t>(fact.subject == larger && smaller != larger),
                    static_cast<std::uint16_t>(split)});
      }
    };
    if (!in_pieces(0, dataset[split].size(), observer, look)) return false;
  }
  return true;
}

/// A distinct fact between a pair, and the splits that hold it.
struct Distinct {
  unsigned direction;
  unsigned splits;
};

/// Adds what one pair has to say; `facts` are its distinct facts.
void count_pair(std::span<const Distinct> facts, bool loop, PairCounts& counts) {
  std::array<std::uint64_t, 2> known = {};
  for (const Distinct& fact : facts) {
    if ((fact.splits & known_bits) != 0) ++known[fact.direction];
  }
  for (const Distinct& fact : facts) {
    const std::uint64_t itself = (fact.splits & known_bits) != 0 ? 1 : 0;
    const std::uint64_t parallel = known[fact.direction] - itself;
    const std::uint64_t inverse = loop ? parallel : known[1 - fact.direction];
    for (const Split split : all_splits) {
      if ((fact.splits & bit(split)) == 0) continue;
      const auto at = static_cast<std::size_t>(split);
      if ((fact.splits & known_bits & ~bit(split)) != 0) ++counts.known[at];
      if (inverse > 0) ++counts.inverse_known[at];
      if (parallel > 0) ++counts.pair_known[at];
      for (const Split other : all_splits) {
        if (other != split && (fact.splits & bit(other)) != 0) {
          ++counts.overlaps[at][static_cast<std::size_t>(other)];
        }
      }
    }
  }
}

/// Walks the sorted row of an entity pair by pair. `add_degree(entity)` hears of each known fact
/// of an entity.
template <class AddDegree>
void count_row(EntityId smaller, std::span<const Item> row, std::vector<Distinct>& distinct,
               PairCounts& counts, AddDegree&& add_degree) {
  for (std::size_t i = 0; i < row.size();) {
    const EntityId larger = row[i].larger;
    distinct.clear();
    while (i < row.size() && row[i].larger == larger) {
      const Item& item = row[i];
      unsigned splits = 0;
      for (; i < row.size() && row[i].larger == larger && row[i].relation == item.relation &&
             row[i].backwards == item.backwards;
           ++i) {
        splits |= 1U << row[i].split;
      }
      distinct.push_back({item.backwards, splits});
      if ((splits & known_bits) != 0) {
        add_degree(smaller);
        add_degree(larger);
      }
    }
    count_pair(distinct, smaller == larger, counts);
  }
}

void add(PairCounts& sum, const PairCounts& part) {
  for (std::size_t i = 0; i < all_splits.size(); ++i) {
    sum.known[i] += part.known[i];
    sum.inverse_known[i] += part.inverse_known[i];
    sum.pair_known[i] += part.pair_known[i];
    for (std::size_t j = 0; j < all_splits.size(); ++j) sum.overlaps[i][j] += part.overlaps[i][j];
  }
}

}  // namespace

PairCounts count_pairs(const Dataset& dataset, unsigned threads, const Observer& observer) {
  const unsigned workers = worker_count(threads);
  const std::size_t entities = dataset.entities.size();
  PairCounts sum;
  sum.degrees.resize(entities);
  std::vector<PairCounts> parts(workers);
  run_workers(workers, [&](unsigned worker) {
    // Deal the facts out to rows, then sort each row, which is small, in cache.
    const auto [first, last] = slice(entities, worker, workers);
    std::vector<std::size_t> ends(last - first + 1);
    const auto count = [&](std::size_t row, const Item&) { ++ends[row + 1]; };
    if (!for_each_item(dataset, first, last, observer, count)) return;
    for (std::size_t row = 0; row + 1 < ends.size(); ++row) ends[row + 1] += ends[row];
    std::vector<Item> items(ends.back());
    const auto place = [&](std::size_t row, const Item& item) { items[ends[row]++] = item; };
    if (!for_each_item(dataset, first, last, observer, place)) return;

    const auto add_degree = [&](EntityId entity) {
      std::atomic_ref(sum.degrees[entity]).fetch_add(1, std::memory_order_relaxed);
    };
    std::vector<Distinct> distinct;
    std::size_t begin = 0;
    for (std::size_t row = 0; row < last - first && !observer.stopped(); ++row) {
      const std::span<Item> some(items.data() + begin, items.data() + ends[row]);
      std::sort(some.begin(), some.end());
      count_row(static_cast<EntityId>(first + row), some, distinct, parts[worker], add_degree);
      begin = ends[row];
    }
  });
  for (const PairCounts& part : parts) add(sum, part);
  return sum;
}

}  // namespace lerpp
