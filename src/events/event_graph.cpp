// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <functional>
#include <queue>

#include <lerp/events/event_graph.hpp>

namespace lerpp {

EventGraph keep_events(const EventGraph& graph, const std::vector<bool>& kept) {
  assert(kept.size() == graph.events.size());
  EventGraph result;
  result.id = graph.id;
  result.scenario = graph.scenario;
  result.entities = graph.entities;
  result.relations = graph.relations;
  std::vector<std::uint32_t> place(graph.events.size());
  for (std::size_t i = 0; i < graph.events.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(result.events.size());
    if (kept[i]) result.events.push_back(graph.events[i]);
  }
  for (const EventLink& link : graph.arguments) {
    if (kept[link.from]) result.arguments.push_back({place[link.from], link.label, link.to});
  }
  for (const EventOrder& order : graph.order) {
    if (kept[order.before] && kept[order.after]) {
      result.order.push_back({place[order.before], place[order.after]});
    }
  }
  return result;
}

EventSequence in_order(const EventGraph& graph) {
  const std::size_t count = graph.events.size();
  std::vector<std::uint32_t> waits(count);
  std::vector<std::size_t> starts(count + 1);
  for (const EventOrder& order : graph.order) {
    ++waits[order.after];
    ++starts[order.before + 1];
  }
  for (std::size_t i = 0; i < count; ++i) starts[i + 1] += starts[i];
  std::vector<std::uint32_t> followers(graph.order.size());
  std::vector<std::size_t> free = starts;
  for (const EventOrder& order : graph.order) followers[free[order.before]++] = order.after;

  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (waits[i] == 0) ready.push(i);
  }
  EventSequence sequence;
  sequence.events.reserve(count);
  std::vector<bool> placed(count);
  while (!ready.empty()) {
    const std::uint32_t event = ready.top();
    ready.pop();
    placed[event] = true;
    sequence.events.push_back(event);
    for (std::size_t i = starts[event]; i < starts[event + 1]; ++i) {
      if (--waits[followers[i]] == 0) ready.push(followers[i]);
    }
  }
  sequence.cyclic = count - sequence.events.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!placed[i]) sequence.events.push_back(i);
  }
  return sequence;
}

}  // namespace lerpp
