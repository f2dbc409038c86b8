// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// What can be said of facts by looking at all facts between the same two entities.
struct PairCounts {
  using PerSplit = std::array<std::uint64_t, all_splits.size()>;

  PerSplit known = {};          ///< facts that `facts` or `train`, other than the split, hold too
  PerSplit inverse_known = {};  ///< facts (s, r, o) with another known fact (o, r', s)
  PerSplit pair_known = {};     ///< facts (s, r, o) with another known fact (s, r', o)
  std::array<PerSplit, all_splits.size()> overlaps = {};  ///< facts of both splits
  std::vector<std::uint32_t> degrees;  ///< known facts of each entity, both directions
};

/// Incomplete where the observer asks to stop.
PairCounts count_pairs(const Dataset& dataset, unsigned threads = 0, const Observer& observer = {});

}  // namespace lerpp
