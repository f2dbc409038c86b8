// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

#include <lerp/base/parallel.hpp>
#include <lerp/base/text.hpp>
#include <lerp/kg/dataset.hpp>

#include "base/pieces.hpp"

namespace lerpp {
namespace {

constexpr std::size_t label_length = 40;

/// The part of a text worth showing in a line: all of it if short, else what stands before the
/// first comma (WordNet: the word before its gloss), else its beginning.
std::string shorten(std::string_view text) {
  if (text.size() <= label_length) return std::string(text);
  const std::size_t comma = text.find(", ");
  if (comma != std::string_view::npos && comma > 0 && comma <= label_length) {
    return std::string(text.substr(0, comma));
  }
  std::size_t end = label_length;
  // Never cut a UTF-8 sequence in two.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

/// The last part of an IRI. Other names with slashes, such as /people/person/x, stay whole.
std::string_view local_name(std::string_view name) {
  if (name.find("://") == std::string_view::npos) return name;
  const std::size_t cut = name.find_last_of("#/");
  return cut + 1 < name.size() ? name.substr(cut + 1) : name;
}

/// "ex:anna" for an IRI that a prefix begins; empty where none does, or where another name is
/// spelled so.
std::string prefixed(const Vocabulary& names, std::span<const Prefix> prefixes,
                     std::string_view name) {
  for (const Prefix& prefix : prefixes) {
    if (name.size() <= prefix.iri.size() || !name.starts_with(prefix.iri)) continue;
    const std::string_view rest = name.substr(prefix.iri.size());
    if (rest.find_first_of("#/") != std::string_view::npos) continue;
    std::string shorter = prefix.name + ":" + std::string(rest);
    return names.find(shorter) ? std::string() : shorter;
  }
  return {};
}

template <class Id>
std::string label(const Vocabulary& names, const std::unordered_map<Id, std::string>& texts,
                  std::span<const Prefix> prefixes, Id id) {
  const auto text = texts.find(id);
  if (text != texts.end()) return visible(shorten(text->second));
  const std::string_view name = names.name(id);
  const std::string shorter = prefixed(names, prefixes, name);
  return visible(shorter.empty() ? local_name(name) : shorter);
}

}  // namespace

std::string_view name_of(Split split) {
  constexpr std::array<std::string_view, all_splits.size()> names = {"facts", "train", "valid",
                                                                     "test"};
  return names[static_cast<std::size_t>(split)];
}

Graph Dataset::known_graph(KnownSplits splits, unsigned threads, const Observer& observer) const {
  return {entities.size(),
          relations.size(),
          {known_facts(Split::facts, splits), known_facts(Split::train, splits),
           known_facts(Split::valid, splits)},
          threads,
          observer};
}

Graph Dataset::full_graph(unsigned threads, const Observer& observer) const {
  const Dataset& self = *this;
  return {entities.size(),
          relations.size(),
          {self[Split::facts], self[Split::train], self[Split::valid], self[Split::test]},
          threads,
          observer};
}

std::string Dataset::entity_label(EntityId id) const {
  return label(entities, entity_texts, prefixes, id);
}

std::string Dataset::relation_label(RelationId id) const {
  return label(relations, relation_texts, prefixes, id);
}

std::uint64_t remove_repeated(std::vector<Fact>& facts, EntityId entities, unsigned threads,
                              const Observer& observer) {
  // Facts are dealt out by hash to buckets that fit the cache, whatever the skew; there a table of
  // places finds those that were seen before. Only equal hashes are compared in memory.
  struct Item {
    std::uint32_t hash;
    std::uint32_t place;
  };
  constexpr std::size_t bucket_facts = std::size_t{1} << 15;
  assert(facts.size() <= std::numeric_limits<std::uint32_t>::max());
  const unsigned bits = static_cast<unsigned>(std::bit_width(facts.size() / bucket_facts));
  const std::size_t buckets = std::size_t{1} << bits;
  const unsigned workers = facts.size() < bucket_facts ? 1 : worker_count(threads);
  const auto hash_of = [entities](const Fact& fact) {
    const std::uint64_t pair = std::uint64_t{fact.subject} * entities + fact.object;
    const std::uint64_t mixed =
        (pair ^ (std::uint64_t{fact.relation} << 40U | fact.relation)) * 0x9E3779B97F4A7C15U;
    return (mixed ^ mixed >> 32U) * 0xD6E8FEB86659FD93U;
  };

  std::vector<std::vector<std::uint32_t>> ends(workers, std::vector<std::uint32_t>(buckets));
  const auto bucket_of = [&](std::uint64_t hash) { return hash >> 32U & (buckets - 1); };
  run_workers(workers, [&](unsigned worker) {
    const auto [first, last] = slice(facts.size(), worker, workers);
    in_pieces(first, last, observer, [&, own = ends[worker].data()](auto from, auto to) {
      for (std::size_t i = from; i < to; ++i) ++own[bucket_of(hash_of(facts[i]))];
    });
  });
  if (observer.stopped()) return 0;
  std::vector<std::uint32_t> starts(buckets + 1);
  std::uint32_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    starts[bucket] = total;
    for (auto& end : ends) total += std::exchange(end[bucket], total);
  }
  starts[buckets] = total;
  LargeArray<Item> items(facts.size());
  run_workers(workers, [&](unsigned worker) {
    const auto [first, last] = slice(facts.size(), worker, workers);
    in_pieces(first, last, observer, [&, own = ends[worker].data()](auto from, auto to) {
      for (std::size_t i = from; i < to; ++i) {
        const std::uint64_t hash = hash_of(facts[i]);
        items[own[bucket_of(hash)]++] = {static_cast<std::uint32_t>(hash),
                                         static_cast<std::uint32_t>(i)};
      }
    });
  });

  std::vector<std::uint8_t> again(facts.size());
  std::atomic<std::uint64_t> removed = 0;
  run_blocks(buckets, 1, workers, [&](unsigned, std::size_t bucket, std::size_t) {
    if (observer.stopped()) return;
    const std::span<const Item> seen(items.data() + starts[bucket],
                                     items.data() + starts[bucket + 1]);
    const std::size_t slots = std::bit_ceil(2 * seen.size() + 1);
    std::vector<std::uint32_t> table(slots);  // one more than an item's number, 0 where free
    for (std::size_t i = 0; i < seen.size(); ++i) {
      std::size_t slot = seen[i].hash & (slots - 1);
      while (table[slot] != 0) {
        const Item& other = seen[table[slot] - 1];
        if (other.hash == seen[i].hash && facts[other.place] == facts[seen[i].place]) break;
        slot = (slot + 1) & (slots - 1);
      }
      if (table[slot] == 0) {
        table[slot] = static_cast<std::uint32_t>(i + 1);
      } else {
        again[seen[i].place] = 1;
        removed.fetch_add(1, std::memory_order_relaxed);
      }
    }
  });
  if (removed == 0 || observer.stopped()) return 0;
  std::size_t kept = 0;
  for (std::size_t place = 0; place < facts.size(); ++place) {
    facts[kept] = facts[place];
    kept += again[place] == 0 ? 1 : 0;
  }
  facts.resize(kept);
  return removed;
}

}  // namespace lerpp
