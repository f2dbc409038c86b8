// SPDX-License-Identifier: Apache-2.0
#include "logic/walk.hpp"

#include <algorithm>

namespace lerpp {

Walk::Walk(const Rule& rule, Evaluator& evaluator)
    : rule_(rule),
      graph_(evaluator.graph()),
      layers_(rule.constraints().size()),
      seen_(graph_.entities()) {
  for (const Formula& constraint : rule.constraints()) {
    allowed_.push_back(constraint.is(Formula::Kind::truth) ? nullptr : &evaluator(constraint));
  }
}

bool Walk::allows(std::size_t variable, EntityId entity, Hidden* hidden) const {
  if (allowed_[variable] == nullptr) return true;
  if (hidden != nullptr) return hidden->holds(rule_.constraints()[variable], entity);
  return allowed_[variable]->contains(entity);
}

void Walk::step(std::size_t hop, Hidden* hidden) {
  const std::vector<EntityId>& before = layers_[hop];
  std::vector<EntityId>& after = layers_[hop + 1];
  for (const EntityId from : before) {
    for (const Edge& edge : graph_.edges(from, rule_.hops()[hop])) {
      if (seen_.contains(edge.target) || (hidden != nullptr && hidden->hides(from, edge))) continue;
      seen_.insert(edge.target);
      after.push_back(edge.target);
    }
  }
  for (const EntityId entity : after) seen_.erase(entity);
  std::erase_if(after, [&](EntityId entity) { return !allows(hop + 1, entity, hidden); });
}

const std::vector<std::vector<EntityId>>& Walk::from(EntityId start, Hidden* hidden) {
  for (auto& layer : layers_) layer.clear();
  if (!allows(0, start, hidden)) return layers_;
  layers_[0].push_back(start);
  if (rule_.is_pair()) {
    for (EntityId y = 0; y < graph_.entities(); ++y) {
      if (allows(1, y, hidden)) layers_[1].push_back(y);
    }
  }
  for (std::size_t hop = 0; hop < rule_.hops().size(); ++hop) step(hop, hidden);
  return layers_;
}

std::vector<EntityId> Walk::prove(EntityId start, EntityId answer, Hidden* hidden) {
  const std::size_t last = layers_.size() - 1;
  if (!allows(0, start, hidden) || !allows(last, answer, hidden)) return {};
  if (rule_.is_pair()) return {start, answer};
  from(start, hidden);
  if (std::find(layers_[last].begin(), layers_[last].end(), answer) == layers_[last].end()) {
    return {};
  }
  // Backwards from the answer, each time to some entity that was reached one hop before.
  std::vector<EntityId> path(last + 1, answer);
  for (std::size_t k = last; k > 0; --k) {
    const auto& before = layers_[k - 1];
    const OperatorId op = rule_.hops()[k - 1];
    path[k - 1] = *std::ranges::find_if(before, [&](EntityId from) {
      const Edge edge = {op, path[k]};
      return graph_.contains(from, op, path[k]) &&
             !(hidden != nullptr && hidden->hides(from, edge));
    });
  }
  return path;
}

}  // namespace lerpp
