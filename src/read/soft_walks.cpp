#include "read/soft_walks.hpp"

#include <algorithm>
#include <cmath>

#include "read/softmax.hpp"

namespace lerpp {

std::vector<double> hop_weights(const Model& model, OperatorId target, std::size_t rule,
                                std::size_t hop) {
  const ModelShape& shape = model.shape();
  const std::size_t count = shape.rule_operators();
  const auto raw = model.parameters.a(target).subspan((rule * shape.length + hop) * count, count);
  if (!shape.positive) return softmax(raw);
  std::vector<double> weights(raw.begin(), raw.end());
  for (double& weight : weights) weight = std::exp(weight);
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

std::vector<OperatorId> operators_of(const RuleTrace& trace, const std::vector<SoftHop>& walk) {
  std::vector<OperatorId> sequence;
  for (const SoftHop& hop : walk) {
    if (hop.op != trace.identity()) sequence.push_back(hop.op);
  }
  return sequence;
}

}  // namespace lerpp
