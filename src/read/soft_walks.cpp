#include "read/soft_walks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

SoftWalks::SoftWalks(const Model& model, const Graph& graph, OperatorId target,
                     std::size_t frontier)
    : model_(model),
      graph_(graph),
      target_(target),
      frontier_(frontier == 0 ? std::numeric_limits<std::size_t>::max() : frontier),
      node_of_(graph.entities(), none) {
  const ModelShape& shape = model.shape();
  for (std::size_t rule = 0; rule < shape.rules; ++rule) {
    for (std::size_t hop = 0; hop < shape.length; ++hop)
      hops_.push_back(hop_weights(model, target, rule, hop));
  }
}

void SoftWalks::follow(const Ball& ball, const NodeConstraints& constraints) {
  ball_ = &ball;
  constraints_ = constraints;
  for (const EntityId entity : placed_) node_of_[entity] = none;
  placed_ = ball.nodes;
  for (std::size_t node = 0; node < placed_.size(); ++node)
    node_of_[placed_[node]] = static_cast<std::uint32_t>(node);
  const ModelShape& shape = model_.shape();
  mass_.resize(shape.rules * (shape.length + std::size_t{1}));
  for (std::size_t rule = 0; rule < shape.rules; ++rule) {
    mass(rule, 0).assign(1, constraints.at(rule, 0, 0));
    for (std::size_t hop = 1; hop <= shape.length; ++hop) {
      const std::vector<double>& from = mass(rule, hop - 1);
      std::vector<double>& to = mass(rule, hop);
      const std::vector<double>& weight = weights(rule, hop);
      to.assign(ball.within[hop], 0);
      for (std::size_t node = 0; node < from.size(); ++node) {
        to[node] += from[node] * weight.back();
        for (std::size_t i = ball.starts[node]; i < ball.starts[node + 1]; ++i)
          to[ball.edges[i].target] += from[node] * weight[ball.edges[i].op];
      }
      for (std::size_t node = 0; node < to.size(); ++node)
        to[node] *= constraints.at(rule, hop, node);
    }
  }
}

double SoftWalks::evidence(std::size_t rule, std::size_t hop, std::uint32_t node) const {
  const ModelShape& shape = model_.shape();
  const double reached = mass(rule, hop)[node];
  if (!shape.evidence) {
    const double raw = double{model_.parameters.w(target_)[rule]};
    return hop == shape.length ? reached / (1 + std::exp(-raw)) : 0;
  }
  const std::size_t at = place(rule, hop);
  const double weight = double{model_.parameters.of(Part::weight, target_)[at]};
  const double scale = std::exp(double{model_.parameters.of(Part::scale, target_)[at]});
  return weight * std::log1p(scale * reached);
}

bool SoftWalks::draw(std::size_t rule, std::size_t hops, std::uint32_t node, const Mask& mask,
                     Random& random, std::vector<Hop>& walk) const {
  walk.clear();
  for (std::size_t hop = hops; hop > 0; --hop) {
    const std::vector<double>& before = mass(rule, hop - 1);
    const std::vector<double>& weight = weights(rule, hop);
    double left = random.real() * mass(rule, hop)[node] / constraints_.at(rule, hop, node);
    std::uint32_t next = none;
    if (node < before.size()) {
      next = node;
      left -= before[node] * weight.back();
    }
    OperatorId op = identity();
    const std::span<const Edge> edges = graph_.edges(ball_->nodes[node]);
    for (std::size_t i = 0; i < edges.size() && left > 0; ++i) {
      const std::uint32_t from = node_of_[edges[i].target];
      if (from >= before.size() || from >= frontier_ ||
          mask.hides(graph_.start(ball_->nodes[node]) + i))
        continue;
      next = from;
      op = graph_.inverse(edges[i].op);
      left -= before[from] * weight[op];
    }
    if (next == none) return false;
    walk.push_back({op, node});
    node = next;
  }
  std::reverse(walk.begin(), walk.end());
  return node == 0;
}

std::vector<OperatorId> SoftWalks::operators(const std::vector<Hop>& walk) const {
  std::vector<OperatorId> sequence;
  for (const Hop& hop : walk) {
    if (hop.op != identity()) sequence.push_back(hop.op);
  }
  return sequence;
}

}  // namespace lerpp
