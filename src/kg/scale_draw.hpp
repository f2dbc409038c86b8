// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/kg/fact.hpp>

#include "kg/pair_set.hpp"
#include "kg/scale_plan.hpp"
#include "kg/zipf.hpp"

namespace lerpp::scale {

/// Every entity once: of `draws` subjects, which ones are prescribed so that all entities in
/// [first, last) occur, evenly spread over the draws.
struct Coverage {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t draws = 1;

  /// The entity due before a draw.
  EntityId at(std::uint64_t draw) const;
  bool due(std::uint64_t draw) const { return at(draw) != at(draw + 1); }
};

/// Draws the facts of a group. Every group has random numbers of its own, so the result does not
/// depend on who draws when.
class Drawer {
 public:
  /// `order` lists the entities by falling popularity.
  Drawer(std::uint64_t seed, double skew, const std::vector<EntityId>& order,
         const Observer& observer, std::uint64_t total)
      : seed_(seed),
        skew_(skew),
        order_(order),
        popularity_(order.size(), skew),
        observer_(observer),
        total_(total) {}

  /// `offset` is the number of draws of the groups before. Worker 0 reports for all.
  std::vector<Fact> draw(const Group& group, std::uint64_t stream, const Coverage& coverage,
                         std::uint64_t offset, unsigned worker);
  bool stopped() const { return observer_.stopped(); }

 private:
  /// Counts drawn facts; whether to go on.
  bool tick(std::uint64_t facts, unsigned worker);
  std::vector<Fact> compose(const Group& group, Random& random, std::uint64_t shift,
                            const std::vector<Fact>& first);

  std::uint64_t seed_;
  double skew_;
  const std::vector<EntityId>& order_;
  Zipf popularity_;
  const Observer& observer_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace lerpp::scale
