// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <lerp/eval/ranking.hpp>

/// How two rankings of the same questions differ. Ties count by their mean rank.
namespace lerpp {

/// A question whose answer has come to another rank.
struct RankChange {
  Fact fact;
  bool tail = true;  ///< r(h, ?) was asked, or else r(?, t)
  Rank before;
  Rank after;
};

struct RankChanges {
  std::size_t questions = 0;
  Measures before;
  Measures after;
  std::size_t better = 0;
  std::size_t worse = 0;
  std::vector<RankChange> changes;  ///< those that move the MRR furthest first
};

/// Ranks are those of a plan of these facts: the tail question of each, then its head question.
RankChanges rank_changes(std::span<const Fact> facts, std::span<const Rank> before,
                         std::span<const Rank> after);
/// With the first `top` of the changes.
Json to_json(const RankChanges& changes, const Dataset& dataset, std::size_t top);

}  // namespace lerpp
