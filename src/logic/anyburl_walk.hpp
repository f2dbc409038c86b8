// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <lerp/logic/anyburl.hpp>
#include <lerp/logic/entity_set.hpp>

namespace lerpp {

/// The variables between X and Y are A to W.
inline constexpr std::size_t most_anyburl_hops = 24;

/// What a rule answers, in either direction. The scratch set is empty before and after.
class AnyburlWalk {
 public:
  AnyburlWalk(const AnyburlRule& rule, const Graph& graph, EntitySet& scratch);

  /// The answers of a query whose target is that of the rule or its inverse; valid until the next
  /// call, not sorted.
  const std::vector<EntityId>& answers(OperatorId target, EntityId start);

 private:
  bool forbidden(EntityId entity) const;
  /// Whether the body holds of x.
  bool holds(EntityId x);
  void collect(std::span<const OperatorId> steps, EntityId start);
  template <class Reach>
  bool follow(std::span<const OperatorId> steps, EntityId at, const Reach& reach);

  const AnyburlRule& rule_;
  const Graph& graph_;
  EntitySet& seen_;
  std::vector<OperatorId> back_;  ///< the hops from the last to the first
  std::vector<EntityId> path_;
  std::vector<EntityId> found_;
};

}  // namespace lerpp
