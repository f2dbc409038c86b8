// SPDX-License-Identifier: Apache-2.0
#include "logic/anyburl_walk.hpp"

#include <algorithm>
#include <cassert>

namespace lerpp {

AnyburlWalk::AnyburlWalk(const AnyburlRule& rule, const Graph& graph, EntitySet& scratch)
    : rule_(rule), graph_(graph), seen_(scratch) {
  for (auto hop = rule.hops.rbegin(); hop != rule.hops.rend(); ++hop) {
    back_.push_back(graph.inverse(*hop));
  }
}

bool AnyburlWalk::forbidden(EntityId entity) const {
  if (rule_.answer == entity) return true;
  return rule_.distinct() &&
         (rule_.end == entity || std::ranges::find(path_, entity) != path_.end());
}

/// Calls reach(entity) for the ends of all walks until it says true.
template <class Reach>
bool AnyburlWalk::follow(std::span<const OperatorId> steps, EntityId at, const Reach& reach) {
  for (const Edge& edge : graph_.edges(at, steps.front())) {
    if (forbidden(edge.target)) continue;
    if (steps.size() == 1) {
      if (reach(edge.target)) return true;
      continue;
    }
    path_.push_back(edge.target);
    const bool done = follow(steps.subspan(1), edge.target, reach);
    path_.pop_back();
    if (done) return true;
  }
  return false;
}

bool AnyburlWalk::holds(EntityId x) {
  const std::span<const OperatorId> hops = rule_.hops;
  path_.clear();
  if (forbidden(x)) return false;
  path_.push_back(x);
  if (hops.size() == 1) {
    return rule_.end ? graph_.contains(x, hops[0], *rule_.end) : !graph_.edges(x, hops[0]).empty();
  }
  if (!rule_.end) return follow(hops, x, [](EntityId) { return true; });
  return follow(hops.first(hops.size() - 1), x,
                [&](EntityId last) { return graph_.contains(last, hops.back(), *rule_.end); });
}

void AnyburlWalk::collect(std::span<const OperatorId> steps, EntityId start) {
  path_ = {start};
  follow(steps, start, [&](EntityId entity) {
    if (!seen_.contains(entity)) {
      seen_.insert(entity);
      found_.push_back(entity);
    }
    return false;
  });
  for (const EntityId entity : found_) seen_.erase(entity);
}

const std::vector<EntityId>& AnyburlWalk::answers(OperatorId target, EntityId start) {
  found_.clear();
  const bool forwards = target == rule_.target;
  assert(forwards || target == graph_.inverse(rule_.target));
  if (!forwards && rule_.directed) return found_;
  if (rule_.leads_to_answer()) {
    collect(forwards ? std::span<const OperatorId>(rule_.hops) : back_, start);
  } else if (rule_.hops.empty()) {
    found_.push_back(*rule_.answer);
  } else if (rule_.same) {
    if (holds(start)) found_.push_back(start);
  } else if (forwards) {
    if (holds(start)) found_.push_back(*rule_.answer);
  } else if (start == rule_.answer && rule_.end) {
    collect(back_, *rule_.end);
  } else if (start == rule_.answer) {
    for (EntityId x = 0; x < graph_.entities(); ++x) {
      if (holds(x)) found_.push_back(x);
    }
  }
  return found_;
}

}  // namespace lerpp
