// SPDX-License-Identifier: Apache-2.0
#include "model/ball_rules.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "model/real.hpp"

namespace lerpp {
namespace {
constexpr double least_share = 1e-20;
}

template <class Real>
void BallRules<Real>::forward(const RuleWeights<Real>& weights, const Ball& ball,
                              std::span<const std::uint32_t> starts,
                              const Constraints<Real>& constraints) {
  assert(starts.size() <= weights.copies());
  const std::uint32_t length = weights.length();
  starts_.assign(starts.begin(), starts.end());
  start_nodes_ = starts_;
  std::sort(start_nodes_.begin(), start_nodes_.end());
  start_nodes_.erase(std::unique(start_nodes_.begin(), start_nodes_.end()), start_nodes_.end());
  u_.resize(length + std::size_t{1});
  x_.resize(length + std::size_t{1});
  for (std::uint32_t k = 0; k <= length; ++k) {
    if (constraints.values != nullptr) u_[k].resize(ball.within[k] * weights.width());
    x_[k].resize(ball.within[k] * weights.width());
  }
  scores_.assign(starts.size() * ball.within[length], Real{0});
  for (std::size_t block = 0; block < weights.blocks(); ++block)
    forward_block(weights, block, ball, constraints);
}

template <class Real>
void BallRules<Real>::hop_block(const RuleWeights<Real>& weights, std::size_t block,
                                const Ball& ball, std::uint32_t k, Real* u) {
  const kernels::Rules<Real>& kernel = kernels::rules<Real>();
  const std::size_t width = weights.block_width();
  const std::size_t nodes = ball.within[k];
  if (k == 0) {
    std::fill_n(u, nodes * width, Real{0});
    const std::size_t own = weights.copy_width();
    for (std::size_t copy = 0; copy < starts_.size(); ++copy)
      std::fill_n(u + starts_[copy] * width + copy * own, own, Real{1});
    return;
  }
  const std::size_t before = ball.within[k - 1];
  const Real* x = x_[k - 1].data() + block * before * width;
  // At the first hop only the start holds anything.
  if (ball.whole && k > 1) {
    kernel.hop_whole(width, ball.view(), nodes, weights.hop(block, k), weights.shape().operators(),
                     x, u);
  } else {
    kernel.hop(width, ball.view(), before, nodes, weights.hop(block, k),
               weights.shape().operators(), x, u);
  }
}

template <class Real>
void BallRules<Real>::forward_block(const RuleWeights<Real>& weights, std::size_t block,
                                    const Ball& ball, const Constraints<Real>& constraints) {
  const std::size_t width = weights.block_width();
  const kernels::Rules<Real>& kernel = kernels::rules<Real>();
  for (std::uint32_t k = 0; k <= weights.length(); ++k) {
    const std::size_t nodes = ball.within[k];
    Real* x = x_[k].data() + block * nodes * width;
    if (constraints.values == nullptr) {
      hop_block(weights, block, ball, k, x);
    } else {
      Real* u = u_[k].data() + block * nodes * width;
      hop_block(weights, block, ball, k, u);
      kernel.constrain(width, nodes, u, constraints.values, weights.stride(),
                       k * weights.width() + block * width, constraints.slots, x);
    }
    if (!weights.shape().evidence) continue;
    // Before the first hop only the start holds anything.
    const std::size_t first = k == 0 ? starts_.front() : 0;
    kernel.read_out(width, k == 0 ? 1 : nodes, weights.readout(block, k), x + first * width,
                    scores_.data() + first);
  }
  if (!weights.shape().evidence) sum_block(weights, block, ball);
}

template <class Real>
void BallRules<Real>::sum_block(const RuleWeights<Real>& weights, std::size_t block,
                                const Ball& ball) {
  const std::uint32_t length = weights.length();
  const std::size_t width = weights.block_width();
  const std::size_t nodes = ball.within[length];
  const Real* x = x_[length].data() + block * nodes * width;
  const std::size_t own = weights.copy_width();
  for (std::size_t copy = 0; copy < starts_.size(); ++copy) {
    const Real* outer = weights.outer() + block * width + copy * own;
    const Real* rules = x + copy * own;
    Real* scores = scores_.data() + copy * nodes;
    for (std::size_t node = 0; node < nodes; ++node) {
      Real score = 0;
      for (std::size_t rule = 0; rule < own; ++rule)
        score += outer[rule] * rules[node * width + rule];
      scores[node] += score;
    }
  }
}

template <class Real>
void BallRules<Real>::constrain_backward(const RuleWeights<Real>& weights, std::size_t block,
                                         const Ball& ball, std::uint32_t k, std::size_t first,
                                         std::size_t count, const std::uint8_t* marks,
                                         const Constraints<Real>& constraints,
                                         const ConstraintGradient<Real>& constraint_gradient) {
  if (constraints.values == nullptr) return;
  const std::size_t width = weights.block_width();
  kernels::rules<Real>().constrain_backward(
      width, count, marks, u_[k].data() + (block * ball.within[k] + first) * width,
      constraints.values, weights.stride(), k * weights.width() + block * width,
      constraints.slots + first, gradient_.data() + first * width, constraint_gradient.values,
      constraint_gradient.slots + first);
}

template <class Real>
void BallRules<Real>::backward(const RuleWeights<Real>& weights, const Ball& ball,
                               const Constraints<Real>& constraints,
                               std::span<const Real> score_gradient,
                               typename RuleWeights<Real>::Sums& sums,
                               const ConstraintGradient<Real>& constraint_gradient) {
  for (std::size_t block = 0; block < weights.blocks(); ++block) {
    backward_block(weights, block, ball, constraints, score_gradient, sums, constraint_gradient);
  }
}

template <class Real>
void BallRules<Real>::backward_block(const RuleWeights<Real>& weights, std::size_t block,
                                     const Ball& ball, const Constraints<Real>& constraints,
                                     std::span<const Real> score_gradient,
                                     typename RuleWeights<Real>::Sums& sums,
                                     const ConstraintGradient<Real>& constraint_gradient) {
  const std::uint32_t length = weights.length();
  const std::size_t width = weights.block_width();
  const std::size_t nodes = ball.within[length];
  const Real* x = x_[length].data() + block * nodes * width;
  const std::size_t own = weights.copy_width();
  gradient_.assign(nodes * width, Real{0});
  for (std::size_t copy = 0; copy < starts_.size(); ++copy) {
    const std::size_t lane = copy * own;
    const Real* outer = weights.outer() + block * width + lane;
    Real* outer_sum = sums.outer.data() + block * width + lane;
    for (std::size_t node = 0; node < nodes; ++node) {
      const Real d = score_gradient[copy * nodes + node];
      const std::size_t row = node * width + lane;
      for (std::size_t rule = 0; rule < own; ++rule) {
        outer_sum[rule] += d * x[row + rule];
        gradient_[row + rule] = d * outer[rule];
      }
    }
  }
  // Before the first hop only the starts hold anything: their gradients alone are asked for.
  const auto constrain = [&](std::uint32_t k, std::size_t first, std::size_t count) {
    constrain_backward(weights, block, ball, k, first, count, nullptr, constraints,
                       constraint_gradient);
  };
  const auto hop = [&](std::uint32_t k, std::size_t first, std::size_t last) {
    const std::size_t before = ball.within[k - 1];
    next_gradient_.resize(before * width);
    kernels::rules<Real>().hop_backward(
        width, ball.view(), first, last, weights.hop(block, k), weights.shape().operators(),
        x_[k - 1].data() + block * before * width, gradient_.data(), next_gradient_.data(),
        sums.hops.data() + weights.hop_offset(block, k));
  };
  for (std::uint32_t k = length; k > 0; --k) {
    constrain(k, 0, ball.within[k]);
    if (k > 1) {
      hop(k, 0, ball.within[k - 1]);
    } else {
      for (const std::uint32_t start : start_nodes_) hop(k, start, start + std::size_t{1});
    }
    gradient_.swap(next_gradient_);
  }
  for (const std::uint32_t start : start_nodes_) constrain(0, start, 1);
}

template <class Real>
void BallRules<Real>::backward(const RuleWeights<Real>& weights, const Ball& ball,
                               const Constraints<Real>& constraints, const Marked& marked,
                               typename RuleWeights<Real>::Sums& sums,
                               const ConstraintGradient<Real>& constraint_gradient) {
  if (marked.nodes.empty()) return;
  for (std::size_t block = 0; block < weights.blocks(); ++block)
    evidence_backward(weights, block, ball, constraints, marked, sums, constraint_gradient);
}

template <class Real>
void BallRules<Real>::evidence_backward(const RuleWeights<Real>& weights, std::size_t block,
                                        const Ball& ball, const Constraints<Real>& constraints,
                                        const Marked& marked,
                                        typename RuleWeights<Real>::Sums& sums,
                                        const ConstraintGradient<Real>& constraint_gradient) {
  const std::uint32_t length = weights.length();
  const std::size_t width = weights.block_width();
  const kernels::Rules<Real>& kernel = kernels::rules<Real>();
  gradient_.resize(ball.within[length] * width);
  marks_.assign(ball.within[length], 0);
  for (std::uint32_t k = length;; --k) {
    const std::size_t reached = ball.within[k];
    const std::size_t first = k == 0 ? starts_.front() : 0;
    const std::size_t count = k == 0 ? 1 : reached;
    const std::size_t readout = weights.readout_offset(block, k);
    const Real* x = x_[k].data() + block * reached * width;
    for (std::size_t i = 0; i < marked.nodes.size(); ++i) {
      const std::uint32_t node = marked.nodes[i];
      if (node < first || node >= first + count) continue;
      kernel.read_out_backward(width, weights.readout(block, k), x + node * width,
                               marked.gradient[i], marks_[node] != 0,
                               gradient_.data() + node * width, sums.weight.data() + readout,
                               sums.scale.data() + readout);
      marks_[node] = 1;
    }
    constrain_backward(weights, block, ball, k, first, count, marks_.data() + first, constraints,
                       constraint_gradient);
    if (k == 0) return;
    const std::size_t before = ball.within[k - 1];
    next_gradient_.resize(before * width);
    next_marks_.assign(before, 0);
    kernel.hop_backward_marked(width, ball.view(), k == 1 ? starts_.front() : 0,
                               k == 1 ? starts_.front() + std::size_t{1} : before,
                               weights.hop(block, k), weights.shape().operators(),
                               x_[k - 1].data() + block * before * width, gradient_.data(),
                               marks_.data(), next_gradient_.data(), next_marks_.data(),
                               sums.hops.data() + weights.hop_offset(block, k));
    gradient_.swap(next_gradient_);
    marks_.swap(next_marks_);
  }
}

template <class Real>
Real query_loss(std::span<const Real> scores, std::uint32_t answer, Real weight,
                std::span<Real> gradient) {
  // In double whatever Real is: many small scores add up to the normaliser.
  double sum = 0;
  for (const Real score : scores) sum += score;
  const double own = answer == kernels::no_slot ? 0 : static_cast<double>(scores[answer]);
  const double share = sum > 0 ? own / sum : 0;
  if (!(share > least_share)) {
    std::fill(gradient.begin(), gradient.end(), Real{0});
    // A sum that is not a number must not look like a bad but finite answer.
    return std::isfinite(sum)
               ? static_cast<Real>(-std::log(least_share) * static_cast<double>(weight))
               : std::numeric_limits<Real>::quiet_NaN();
  }
  if (own < static_cast<double>(std::numeric_limits<Real>::min())) {
    // Its inverse would overflow: the score is as good as not there, though the loss is known.
    std::fill(gradient.begin(), gradient.end(), Real{0});
    return static_cast<Real>(-std::log(share) * static_cast<double>(weight));
  }
  std::fill(gradient.begin(), gradient.end(), static_cast<Real>(static_cast<double>(weight) / sum));
  gradient[answer] -= static_cast<Real>(static_cast<double>(weight) / own);
  return static_cast<Real>(-std::log(share) * static_cast<double>(weight));
}

template class BallRules<LERP_REAL>;
template LERP_REAL query_loss(std::span<const LERP_REAL>, std::uint32_t, LERP_REAL,
                              std::span<LERP_REAL>);

}  // namespace lerpp
