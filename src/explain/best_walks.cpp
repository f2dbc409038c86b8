// SPDX-License-Identifier: Apache-2.0
#include "explain/best_walks.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace lerpp {
namespace {

/// A walk from a node to the end, of which the beginning is open.
struct Tail {
  double bound = 0;  ///< weight with the heaviest beginning
  double weight = 0;
  std::uint32_t hop = 0;
  std::uint32_t node = 0;
  OperatorId op = 0;        ///< by which it goes on
  std::size_t next = none;  ///< the tail behind that

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
};

}  // namespace

template <class Action>
void BestWalks::for_each_before(std::uint32_t k, std::uint32_t node, Action&& action) const {
  const Graph& graph = asked_.graph();
  const Ball& ball = asked_.ball();
  const Mask& mask = asked_.mask();
  const std::size_t before = ball.within[k - 1];
  if (node < before) action(node, graph.operators());
  const EntityId entity = ball.nodes[node];
  const std::span<const Edge> edges = graph.edges(entity);
  const bool touched = mask.touches(entity);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint32_t from = asked_.node(edges[i].target);
    if (from >= before || !asked_.passes_on(from) ||
        (touched && mask.hides(graph.start(entity) + i)))
      continue;
    action(from, graph.inverse(edges[i].op));
  }
}

void BestWalks::climb(std::size_t rule, std::uint32_t k) {
  if (rule_ != rule) best_.clear();
  rule_ = rule;
  const Ball& ball = asked_.ball();
  const OperatorId identity = asked_.graph().operators();
  if (best_.empty()) best_.push_back({asked_.constraint(rule, 0, 0)});
  std::vector<double> weights(identity + std::size_t{1});
  for (auto hop = static_cast<std::uint32_t>(best_.size()); hop <= k; ++hop) {
    for (OperatorId op = 0; op <= identity; ++op) weights[op] = asked_.hop_weight(rule, hop, op);
    const std::vector<double>& from = best_.back();
    std::vector<double> to(ball.within[hop], 0.0);
    for (std::size_t node = 0; node < from.size(); ++node) {
      if (from[node] == 0) continue;
      to[node] = std::max(to[node], from[node] * weights[identity]);
      for (std::size_t i = ball.starts[node]; i < ball.starts[node + 1]; ++i) {
        double& best = to[ball.edges[i].target];
        best = std::max(best, from[node] * weights[ball.edges[i].op]);
      }
    }
    for (std::size_t node = 0; node < to.size(); ++node)
      to[node] *= asked_.constraint(rule, hop, static_cast<std::uint32_t>(node));
    best_.push_back(std::move(to));
  }
}

std::vector<SoftWalk> BestWalks::find(std::size_t rule, std::uint32_t k, std::uint32_t node,
                                      std::size_t most, double enough) {
  std::vector<SoftWalk> walks;
  if (node >= asked_.ball().within[k]) return walks;
  climb(rule, k);
  std::vector<Tail> tails = {{best_[k][node], 1, k, node}};
  const auto lighter = [&](std::size_t a, std::size_t b) {
    return tails[a].bound < tails[b].bound;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(lighter)> open(lighter);
  if (tails[0].bound > 0) open.push(0);
  double carried = 0;
  while (!open.empty() && walks.size() < most && carried < enough) {
    const std::size_t at = open.top();
    open.pop();
    const Tail tail = tails[at];
    if (tail.hop == 0) {
      SoftWalk walk{tail.bound, {}, {}};
      for (std::size_t i = at; i != Tail::none; i = tails[i].next) {
        walk.nodes.push_back(tails[i].node);
        if (tails[i].next != Tail::none) walk.operators.push_back(tails[i].op);
      }
      carried += walk.weight;
      walks.push_back(std::move(walk));
      continue;
    }
    const double weight = tail.weight * asked_.constraint(rule, tail.hop, tail.node);
    const std::vector<double>& before = best_[tail.hop - 1];
    for_each_before(tail.hop, tail.node, [&](std::uint32_t from, OperatorId op) {
      if (before[from] == 0) return;
      const double longer = weight * asked_.hop_weight(rule, tail.hop, op);
      if (!(longer * before[from] > 0)) return;
      tails.push_back({longer * before[from], longer, tail.hop - 1, from, op, at});
      open.push(tails.size() - 1);
    });
  }
  return walks;
}

}  // namespace lerpp
