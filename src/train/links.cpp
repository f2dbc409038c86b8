#include "train/links.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace lerpp {
namespace {

/// Both directions of a link are one.
std::uint64_t pair_of(const Fact& fact) {
  const auto [low, high] = std::minmax(fact.subject, fact.object);
  return std::uint64_t{low} << 32U | high;
}

/// Sorted, with a pair as often as facts link it.
std::vector<std::uint64_t> links_of(const Dataset& dataset) {
  std::vector<std::uint64_t> pairs;
  for (const Split split : {Split::train, Split::facts}) {
    for (const Fact& fact : dataset[split]) pairs.push_back(pair_of(fact));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::size_t links(const std::vector<std::uint64_t>& pairs, const Fact& fact) {
  const auto [first, last] = std::equal_range(pairs.begin(), pairs.end(), pair_of(fact));
  return static_cast<std::size_t>(last - first);
}

/// The share of the facts whose ends more than `own` facts link.
double share_linked(std::span<const Fact> facts, const std::vector<std::uint64_t>& pairs,
                    std::size_t own) {
  if (facts.empty()) return 0;
  const auto count = std::count_if(facts.begin(), facts.end(),
                                   [&](const Fact& fact) { return links(pairs, fact) > own; });
  return static_cast<double>(count) / static_cast<double>(facts.size());
}

LinkShares shares_of(const Dataset& dataset, const std::vector<std::uint64_t>& pairs) {
  return {share_linked(dataset[Split::train], pairs, 1),
          share_linked(dataset[Split::valid], pairs, 0)};
}

}  // namespace

LinkShares link_shares(const Dataset& dataset) {
  return shares_of(dataset, links_of(dataset));
}

std::vector<Fact> asked_like_validation(const Dataset& dataset, std::uint64_t seed) {
  const std::vector<Fact>& train = dataset[Split::train];
  const std::vector<std::uint64_t> pairs = links_of(dataset);
  const auto [now, aim] = shares_of(dataset, pairs);
  if (dataset[Split::valid].empty() || now <= aim || now == 1) return train;
  const double keep = aim / (1 - aim) * (1 - now) / now;
  Random random(seed, 1);
  std::vector<Fact> asked;
  for (const Fact& fact : train) {
    if (links(pairs, fact) <= 1 || random.chance(keep)) asked.push_back(fact);
  }
  return asked;
}

}  // namespace lerpp
