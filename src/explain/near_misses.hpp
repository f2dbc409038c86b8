// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <lerp/explain/explain.hpp>

#include "explain/target_bodies.hpp"
#include "explain/witness.hpp"

namespace lerpp {

/// A body that leads from x some way towards y, and from y some way back, with one fact between
/// them that is not there.
struct NearMiss {
  TargetBody body;
  Fact fact;
  std::vector<Fact> there;  ///< the others of the body
};

/// Of the loudest bodies, those that would hold with one fact more; no fact stands twice, nor the
/// one that is asked about.
std::vector<NearMiss> near_misses(const VisibleGraph& graph, const Query& query, EntityId answer,
                                  std::span<const TargetBody> bodies, std::size_t most);

/// Where a body stops that lacks more than one fact, seen from x and seen from y.
std::vector<Explanation::Gap> open_gaps(const VisibleGraph& graph, const Query& query,
                                        EntityId answer, const TargetBody& body);

}  // namespace lerpp
