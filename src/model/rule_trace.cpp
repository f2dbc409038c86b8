// SPDX-License-Identifier: Apache-2.0
#include "model/rule_trace.hpp"

#include <cmath>

namespace lerpp {

void RuleTrace::open(std::size_t query) {
  for (const EntityId entity : placed_) node_of_[entity] = kernels::no_slot;
  ball_ = &pass_.ball(query);
  placed_ = ball_->nodes;
  for (std::size_t node = 0; node < placed_.size(); ++node)
    node_of_[placed_[node]] = static_cast<std::uint32_t>(node);
}

double RuleTrace::hop_weight(std::size_t rule, std::uint32_t k, OperatorId op) const {
  const RuleWeights<float>& weights = pass_.weights();
  const std::size_t width = weights.block_width();
  return double{weights.hop(rule / width, k)[op * width + rule % width]};
}

double RuleTrace::constraint(std::size_t rule, std::uint32_t k, std::uint32_t node) const {
  if (pass_.constraints() == nullptr) return 1;
  const RuleWeights<float>& weights = pass_.weights();
  const std::size_t row = asker_.slots[node] * weights.stride();
  return double{pass_.constraints()[row + k * weights.width() + rule]};
}

double RuleTrace::reached(std::size_t rule, std::uint32_t k, std::uint32_t node) const {
  if (node >= ball_->within[k]) return 0;
  const std::size_t width = pass_.weights().block_width();
  const std::size_t block = rule / width;
  return double{asker_.rules.hop(k)[(block * ball_->within[k] + node) * width + rule % width]};
}

double RuleTrace::share(std::size_t rule, std::uint32_t k, std::uint32_t node) const {
  const RuleWeights<float>& weights = pass_.weights();
  const double x = reached(rule, k, node);
  if (!weights.shape().evidence) return k == length() ? double{weights.outer()[rule]} * x : 0;
  const std::size_t width = weights.block_width();
  const kernels::Readout<float> readout = weights.readout(rule / width, k);
  return double{readout.weight[rule % width]} * std::log1p(double{readout.scale[rule % width]} * x);
}

}  // namespace lerpp
