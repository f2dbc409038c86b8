// SPDX-License-Identifier: Apache-2.0
#include "events/equation_candidates.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace lerpp {
namespace {

/// One step to a type, or two over an entity; a single step has no second operator.
struct Pattern {
  OperatorId first = 0;
  OperatorId second = 0;
  LabelId type = 0;
  bool two = false;

  auto operator<=>(const Pattern&) const = default;
};

Formula body_of(const Pattern& pattern, const EventShape& shape) {
  const Formula end = has_type(shape, pattern.type);
  if (!pattern.two) return Formula::exists(pattern.first, end);
  return Formula::exists(pattern.first, Formula::exists(pattern.second, end));
}

class PatternCounter {
 public:
  PatternCounter(const NodeCorpus& corpus, const EventShape& shape)
      : corpus_(corpus), shape_(shape), is_(is_operator(shape)) {
    entity_sides_.resize(corpus.types.size());
  }

  const std::map<Pattern, std::size_t>& count() {
    for (std::size_t node = 0; node < corpus_.types.size(); ++node) {
      if (corpus_.types[node] < shape_.sizes.event_types) count_event(node);
    }
    return counts_;
  }

 private:
  bool is_event(std::size_t node) const { return corpus_.types[node] < shape_.sizes.event_types; }

  std::span<const Edge> edges(std::size_t node) const {
    return corpus_.graph.edges(corpus_.first_node + static_cast<EntityId>(node));
  }

  /// Which kinds of event an entity takes part in, and how: found once, however many ask. Central
  /// entities would otherwise cost the square of their links.
  const std::set<std::pair<OperatorId, LabelId>>& sides_of(std::size_t entity) {
    auto& sides = entity_sides_[entity];
    if (!sides.empty()) return sides;
    for (const Edge& edge : edges(entity)) {
      if (edge.op == is_) continue;
      const std::size_t other = edge.target - corpus_.first_node;
      if (is_event(other)) sides.insert({edge.op, corpus_.types[other]});
    }
    return sides;
  }

  void count_event(std::size_t event) {
    std::set<Pattern> held;
    for (const Edge& edge : edges(event)) {
      if (edge.op == is_) continue;
      const std::size_t other = edge.target - corpus_.first_node;
      held.insert({edge.op, 0, corpus_.types[other], false});
      if (is_event(other)) continue;
      for (const auto& [op, type] : sides_of(other)) {
        // The event itself is no news of its own entity.
        const bool itself = op == corpus_.graph.inverse(edge.op) && type == corpus_.types[event];
        if (!itself) held.insert({edge.op, op, type, true});
      }
    }
    for (const Pattern& pattern : held) ++counts_[pattern];
  }

  const NodeCorpus& corpus_;
  const EventShape& shape_;
  OperatorId is_;
  std::vector<std::set<std::pair<OperatorId, LabelId>>> entity_sides_;
  std::map<Pattern, std::size_t> counts_;
};

}  // namespace

std::vector<Formula> frequent_bodies(const NodeCorpus& corpus, const EventShape& shape,
                                     std::size_t least_support, std::size_t most) {
  PatternCounter counter(corpus, shape);
  std::vector<std::pair<std::size_t, Pattern>> found;
  for (const auto& [pattern, count] : counter.count()) {
    if (count >= least_support) found.emplace_back(count, pattern);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  if (found.size() > most) found.resize(most);
  std::vector<Formula> bodies;
  bodies.reserve(found.size());
  for (const auto& [count, pattern] : found) bodies.push_back(body_of(pattern, shape));
  return bodies;
}

}  // namespace lerpp
