// SPDX-License-Identifier: Apache-2.0
#include "train/links.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/large_array.hpp>

#include "base/pieces.hpp"
#include "base/random.hpp"

namespace lerpp {
namespace {

/// Both directions of a link are one.
std::uint64_t pair_of(const Fact& fact) {
  const auto [low, high] = std::minmax(fact.subject, fact.object);
  return std::uint64_t{low} << 32U | high;
}

/// Which training facts have ends that another known fact links, and which validation facts have
/// ends that a known fact links. Facts are dealt out by the hash of their pair to buckets that fit
/// the cache, and counted there.
class Linked {
 public:
  /// Incomplete where the observer asks to stop.
  Linked(const Dataset& dataset, unsigned threads, const Observer& observer)
      : lists_{dataset[Split::train], dataset[Split::facts], dataset[Split::valid]},
        flags_(lists_[0].size() + lists_[1].size() + lists_[2].size()) {
    assert(flags_.size() <= std::numeric_limits<std::uint32_t>::max());
    const unsigned workers = flags_.size() < bucket_facts ? 1 : worker_count(threads);
    deal(workers, observer);
    std::vector<std::vector<Seen>> tables(workers);
    run_blocks(starts_.size() - 1, 1, workers,
               [&](unsigned worker, std::size_t bucket, std::size_t) {
                 if (observer.stopped()) return;
                 count({items_.data() + starts_[bucket], items_.data() + starts_[bucket + 1]},
                       tables[worker]);
               });
    items_ = {};
  }

  std::span<const std::uint8_t> train() const { return std::span(flags_).first(lists_[0].size()); }
  std::span<const std::uint8_t> valid() const { return std::span(flags_).last(lists_[2].size()); }

 private:
  static constexpr std::size_t bucket_facts = std::size_t{1} << 15U;
  struct Item {
    std::uint32_t hash = 0;
    std::uint32_t place = 0;  ///< in the three lists, one after the other
  };
  /// A pair, by one of its facts, and how many known facts link it.
  struct Seen {
    std::uint32_t item = 0;  ///< one more than its number, 0 where free
    std::uint32_t known = 0;
  };

  const Fact& fact(std::size_t place) const {
    std::size_t list = 0;
    while (place >= lists_[list].size()) place -= lists_[list++].size();
    return lists_[list][place];
  }
  bool is_known(std::size_t place) const { return place < flags_.size() - lists_[2].size(); }

  void deal(unsigned workers, const Observer& observer) {
    const auto bits = static_cast<unsigned>(std::bit_width(flags_.size() / bucket_facts));
    const std::size_t buckets = std::size_t{1} << bits;
    const auto hash_of = [this](std::size_t place) {
      std::uint64_t state = pair_of(fact(place));
      return split_mix(state);
    };
    const auto bucket_of = [&](std::uint64_t hash) { return hash >> 32U & (buckets - 1); };
    std::vector<std::vector<std::size_t>> ends(workers, std::vector<std::size_t>(buckets));
    // Calls `action(worker, i)` for every fact, slice by slice.
    const auto for_each = [&](const auto& action) {
      run_workers(workers, [&](unsigned worker) {
        const auto [first, last] = slice(flags_.size(), worker, workers);
        in_pieces(first, last, observer, [&](std::size_t from, std::size_t to) {
          for (std::size_t i = from; i < to; ++i) action(worker, i);
        });
      });
    };
    for_each([&](unsigned worker, std::size_t i) { ++ends[worker][bucket_of(hash_of(i))]; });
    starts_.assign(buckets + 1, 0);
    std::size_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      starts_[bucket] = total;
      for (auto& end : ends) total += std::exchange(end[bucket], total);
    }
    starts_[buckets] = total;
    if (observer.stopped()) return;
    items_.resize(total);
    for_each([&](unsigned worker, std::size_t i) {
      const std::uint64_t hash = hash_of(i);
      items_[ends[worker][bucket_of(hash)]++] = {static_cast<std::uint32_t>(hash),
                                                 static_cast<std::uint32_t>(i)};
    });
  }

  void count(std::span<const Item> items, std::vector<Seen>& table) {
    table.assign(std::bit_ceil(2 * items.size() + 1), {});
    const auto find = [&](const Item& item) -> Seen& {
      std::size_t slot = item.hash & (table.size() - 1);
      while (table[slot].item != 0) {
        const Item& other = items[table[slot].item - 1];
        if (other.hash == item.hash && pair_of(fact(other.place)) == pair_of(fact(item.place)))
          break;
        slot = (slot + 1) & (table.size() - 1);
      }
      return table[slot];
    };
    for (std::size_t i = 0; i < items.size(); ++i) {
      Seen& seen = find(items[i]);
      if (seen.item == 0) seen.item = static_cast<std::uint32_t>(i + 1);
      if (is_known(items[i].place)) ++seen.known;
    }
    for (const Item& item : items) {
      const std::uint32_t own = is_known(item.place) ? 1 : 0;
      flags_[item.place] = find(item).known > own ? 1 : 0;
    }
  }

  std::array<std::span<const Fact>, 3> lists_;  ///< train, facts and valid
  std::vector<std::uint8_t> flags_;             ///< of all their facts
  std::vector<std::size_t> starts_;             ///< of the buckets, and the end
  LargeArray<Item> items_;
};

double share_of(std::span<const std::uint8_t> flags) {
  if (flags.empty()) return 0;
  return static_cast<double>(std::accumulate(flags.begin(), flags.end(), std::size_t{0})) /
         static_cast<double>(flags.size());
}

}  // namespace

LinkShares link_shares(const Dataset& dataset, unsigned threads) {
  const Linked linked(dataset, threads, {});
  return {share_of(linked.train()), share_of(linked.valid())};
}

void for_each_asked(const Dataset& dataset, std::uint64_t seed, unsigned threads,
                    const Observer& observer, const std::function<void(const Fact&)>& action) {
  const std::vector<Fact>& train = dataset[Split::train];
  const Linked linked(dataset, threads, observer);
  const double now = share_of(linked.train());
  const double aim = share_of(linked.valid());
  const bool all = dataset[Split::valid].empty() || now <= aim || now == 1;
  const double keep = all ? 1 : aim / (1 - aim) * (1 - now) / now;
  Random random(seed, 1);
  in_pieces(0, train.size(), observer, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (all || linked.train()[i] == 0 || random.chance(keep)) action(train[i]);
    }
  });
}

std::vector<Fact> asked_like_validation(const Dataset& dataset, std::uint64_t seed,
                                        unsigned threads) {
  std::vector<Fact> asked;
  for_each_asked(dataset, seed, threads, {}, [&](const Fact& fact) { asked.push_back(fact); });
  return asked;
}

}  // namespace lerpp
