// SPDX-License-Identifier: Apache-2.0
#include "model/path_meeting.hpp"

#include <algorithm>

namespace lerpp {
namespace {

constexpr std::uint32_t none = PathTrie::none;

}  // namespace

PathMeeting::PathMeeting(const OperatorRows& rows, std::uint32_t length, std::uint32_t fanout)
    : rows_(rows),
      graph_(rows.graph()),
      codes_(graph_.operators()),
      length_(length),
      fanout_(fanout),
      noted_(graph_.entities()),
      heads_(graph_.entities(), none) {}

void PathMeeting::see(const PathQuestion& question, const Observer& observer,
                      PathSupport& support) {
  note_ways(question.to);
  for_each_way(question, question.from,
               [&](OperatorId op) { support.see(part(question, op, 0, 1)); });
  if (length_ > 1) see_two(question, support);
  if (length_ > 2) see_three(question, observer, support);
}

void PathMeeting::note_ways(EntityId to) {
  if (noted_ == to) return;
  if (noted_ < graph_.entities()) {
    for (const Edge& edge : graph_.edges(noted_)) heads_[edge.target] = none;
  }
  ways_.clear();
  for (const Edge& edge : graph_.edges(to)) {
    ways_.push_back({graph_.inverse(edge.op), heads_[edge.target]});
    heads_[edge.target] = static_cast<std::uint32_t>(ways_.size() - 1);
  }
  noted_ = to;
}

bool PathMeeting::hidden(const PathQuestion& question, EntityId entity, const Edge& edge) const {
  return (entity == question.from && edge.target == question.to && edge.op == question.op) ||
         (entity == question.to && edge.target == question.from &&
          edge.op == graph_.inverse(question.op));
}

std::uint64_t PathMeeting::part(const PathQuestion& question, OperatorId op, std::size_t hop,
                                std::size_t length) const {
  return question.backwards ? codes_.part(graph_.inverse(op), length - 1 - hop)
                            : codes_.part(op, hop);
}

/// The last step from an entity.
template <class Action>
void PathMeeting::for_each_way(const PathQuestion& question, EntityId entity,
                               const Action& action) const {
  for (std::uint32_t at = heads_[entity]; at != none; at = ways_[at].next) {
    if (hidden(question, entity, {ways_[at].op, question.to})) continue;
    action(ways_[at].op);
  }
}

/// A step from an entity, of some of those by one operator where they are many.
template <class Action>
void PathMeeting::for_each_edge(const PathQuestion& question, EntityId entity,
                                const Action& action) const {
  const OperatorRow row = rows_[entity];
  for (std::size_t run = 0; run < row.size(); ++run) {
    const std::span<const EntityId> targets = row.targets(run);
    const std::size_t count =
        fanout_ == 0 ? targets.size() : std::min<std::size_t>(targets.size(), fanout_);
    for (std::size_t i = 0; i < count; ++i) {
      const Edge edge{row.op(run),
                      targets[count == targets.size() ? i : i * targets.size() / count]};
      if (!hidden(question, entity, edge)) action(edge);
    }
  }
}

void PathMeeting::see_two(const PathQuestion& question, PathSupport& support) const {
  for (const Edge& first : graph_.edges(question.from)) {
    if (heads_[first.target] == none || hidden(question, question.from, first)) continue;
    const std::uint64_t begun = part(question, first.op, 0, 2);
    for_each_way(question, first.target,
                 [&](OperatorId op) { support.see(begun + part(question, op, 1, 2)); });
  }
}

void PathMeeting::see_three(const PathQuestion& question, const Observer& observer,
                            PathSupport& support) const {
  for_each_edge(question, question.from, [&](const Edge& first) {
    if (observer.stopped()) return;
    const std::uint64_t begun = part(question, first.op, 0, 3);
    for_each_edge(question, first.target, [&](const Edge& second) {
      if (heads_[second.target] == none) return;
      const std::uint64_t longer = begun + part(question, second.op, 1, 3);
      for_each_way(question, second.target,
                   [&](OperatorId op) { support.see(longer + part(question, op, 2, 3)); });
    });
  });
}

}  // namespace lerpp
