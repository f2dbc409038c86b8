// SPDX-License-Identifier: Apache-2.0
#include "read/soft_walks.hpp"

#include <algorithm>
#include <cmath>

#include "read/softmax.hpp"

namespace lerpp {

std::vector<double> hop_weights(const Model& model, OperatorId target, std::size_t rule,
                                std::size_t hop) {
  const ModelShape& shape = model.shape();
  const std::span<const OperatorId> operators = model.parameters.operators(target);
  const std::size_t count = operators.size() + 1;
  const auto raw = model.parameters.a(target).subspan((rule * shape.length + hop) * count, count);
  std::vector<double> own(raw.begin(), raw.end());
  if (shape.positive) {
    for (double& weight : own) weight = std::exp(weight);
  } else {
    own = softmax(raw);
  }
  std::vector<double> weights(shape.rule_operators());
  for (std::size_t i = 0; i < operators.size(); ++i) weights[operators[i]] = own[i];
  weights.back() = own.back();
  return weights;
}

bool draw_walk(const RuleTrace& trace, std::size_t rule, std::uint32_t hops, std::uint32_t node,
               Random& random, std::vector<SoftHop>& walk) {
  constexpr std::uint32_t none = kernels::no_slot;
  const Graph& graph = trace.graph();
  walk.clear();
  for (std::uint32_t hop = hops; hop > 0; --hop) {
    const std::size_t before = trace.ball().within[hop - 1];
    double left =
        random.real() * trace.reached(rule, hop, node) / trace.constraint(rule, hop, node);
    std::uint32_t next = none;
    OperatorId op = trace.identity();
    if (node < before) {
      next = node;
      left -= trace.reached(rule, hop - 1, node) * trace.hop_weight(rule, hop, op);
    }
    const EntityId entity = trace.entity(node);
    const std::span<const Edge> edges = graph.edges(entity);
    for (std::size_t i = 0; i < edges.size() && left > 0; ++i) {
      const std::uint32_t from = trace.node(edges[i].target);
      if (from >= before || !trace.passes_on(from) || trace.mask().hides(graph.start(entity) + i))
        continue;
      next = from;
      op = graph.inverse(edges[i].op);
      left -= trace.reached(rule, hop - 1, from) * trace.hop_weight(rule, hop, op);
    }
    if (next == none) return false;
    walk.push_back({op, node});
    node = next;
  }
  std::reverse(walk.begin(), walk.end());
  return node == 0;
}

FoldedWalk folded(std::span<const OperatorId> operators, std::span<const std::uint32_t> places) {
  FoldedWalk walk;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto before = std::find(walk.places.begin(), walk.places.end(), places[k]);
    if (before == walk.places.end()) {
      if (k > 0) walk.hops.push_back(operators[k - 1]);
      walk.places.push_back(places[k]);
    } else {
      walk.places.erase(before + 1, walk.places.end());
      walk.hops.resize(walk.places.size() - 1);
    }
    walk.variables.resize(walk.places.size());
    walk.variables.back().push_back(k);
  }
  return walk;
}

double grounding_weight(const RuleTrace& trace, std::span<const OperatorId> hops,
                        std::span<const std::uint32_t> nodes) {
  const std::uint32_t end = nodes.back();
  double weight = 0;
  std::vector<double> come(nodes.size());  // so far along the nodes
  for (std::size_t rule = 0; rule < trace.rules(); ++rule) {
    const double reached = trace.reached(rule, trace.length(), end);
    if (!(reached > 0)) continue;
    std::fill(come.begin(), come.end(), 0);
    come[0] = trace.constraint(rule, 0, nodes[0]);
    for (std::uint32_t k = 1; k <= trace.length(); ++k) {
      const double stay = trace.hop_weight(rule, k, trace.identity());
      for (std::size_t at = std::min<std::size_t>(k + 1, nodes.size()); at-- > 0;) {
        come[at] *= stay;
        if (at > 0) come[at] += come[at - 1] * trace.hop_weight(rule, k, hops[at - 1]);
        if (come[at] > 0) come[at] *= trace.constraint(rule, k, nodes[at]);
      }
    }
    weight += trace.share(rule, trace.length(), end) / reached * come.back();
  }
  return weight;
}

std::vector<OperatorId> operators_of(const RuleTrace& trace, const std::vector<SoftHop>& walk) {
  std::vector<OperatorId> sequence;
  for (const SoftHop& hop : walk) {
    if (hop.op != trace.identity()) sequence.push_back(hop.op);
  }
  return sequence;
}

}  // namespace lerpp
