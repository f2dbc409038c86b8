#include "model/ball_rules.hpp"

#include <cmath>
#include <limits>

namespace lerpp {
namespace {
constexpr double least_share = 1e-20;
}

template <class Real>
void BallRules<Real>::forward(const RuleWeights<Real>& weights, const Ball& ball,
                              std::uint32_t start, const Real* constraints,
                              const std::uint32_t* slots) {
  const std::uint32_t length = weights.shape().length;
  const std::size_t width = weights.width();
  u_.resize(length + std::size_t{1});
  x_.resize(length + std::size_t{1});
  const kernels::Rules<Real>& kernel = kernels::rules<Real>();
  for (std::uint32_t k = 0; k <= length; ++k) {
    const std::size_t nodes = ball.within[k];
    u_[k].resize(nodes * width);
    x_[k].resize(nodes * width);
    if (k == 0) {
      std::fill(u_[0].begin(), u_[0].end(), Real{0});
      std::fill_n(u_[0].begin() + static_cast<std::ptrdiff_t>(start * width), weights.shape().rules,
                  Real{1});
    } else {
      kernel.hop(width, ball.view(), ball.within[k - 1], nodes, weights.hop(k),
                 weights.shape().operators(), x_[k - 1].data(), u_[k].data());
    }
    kernel.constrain(width, nodes, u_[k].data(), constraints, weights.stride(), k * width, slots,
                     x_[k].data());
  }
  const std::size_t nodes = ball.within[length];
  scores_.resize(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const Real* x = x_[length].data() + node * width;
    Real score = 0;
    for (std::size_t rule = 0; rule < width; ++rule) score += weights.outer()[rule] * x[rule];
    scores_[node] = score;
  }
}

template <class Real>
void BallRules<Real>::backward(const RuleWeights<Real>& weights, const Ball& ball,
                               const Real* constraints, const std::uint32_t* slots,
                               std::span<const Real> score_gradient,
                               typename RuleWeights<Real>::Sums& sums, Real* constraint_gradient) {
  const std::uint32_t length = weights.shape().length;
  const std::size_t width = weights.width();
  const kernels::Rules<Real>& kernel = kernels::rules<Real>();
  const std::size_t nodes = ball.within[length];
  gradient_.resize(nodes * width);
  for (std::size_t node = 0; node < nodes; ++node) {
    const Real d = score_gradient[node];
    const Real* x = x_[length].data() + node * width;
    for (std::size_t rule = 0; rule < width; ++rule) {
      sums.outer[rule] += d * x[rule];
      gradient_[node * width + rule] = d * weights.outer()[rule];
    }
  }
  for (std::uint32_t k = length;; --k) {
    kernel.constrain_backward(width, ball.within[k], u_[k].data(), constraints, weights.stride(),
                              k * width, slots, gradient_.data(), constraint_gradient);
    if (k == 0) return;
    next_gradient_.resize(ball.within[k - 1] * width);
    kernel.hop_backward(width, ball.view(), ball.within[k - 1], weights.hop(k),
                        weights.shape().operators(), x_[k - 1].data(), gradient_.data(),
                        next_gradient_.data(), sums.hops.data() + (k - 1) * weights.hop_size());
    gradient_.swap(next_gradient_);
  }
}

template <class Real>
Real query_loss(std::span<const Real> scores, std::uint32_t answer, Real weight,
                std::vector<Real>& gradient) {
  // In double whatever Real is: many small scores add up to the normaliser.
  double sum = 0;
  for (const Real score : scores) sum += score;
  const double own = answer == kernels::no_slot ? 0 : static_cast<double>(scores[answer]);
  const double share = sum > 0 ? own / sum : 0;
  if (!(share > least_share)) {
    gradient.assign(scores.size(), Real{0});
    // A sum that is not a number must not look like a bad but finite answer.
    return std::isfinite(sum)
               ? static_cast<Real>(-std::log(least_share) * static_cast<double>(weight))
               : std::numeric_limits<Real>::quiet_NaN();
  }
  if (own < static_cast<double>(std::numeric_limits<Real>::min())) {
    // Its inverse would overflow: the score is as good as not there, though the loss is known.
    gradient.assign(scores.size(), Real{0});
    return static_cast<Real>(-std::log(share) * static_cast<double>(weight));
  }
  gradient.assign(scores.size(), static_cast<Real>(static_cast<double>(weight) / sum));
  gradient[answer] -= static_cast<Real>(static_cast<double>(weight) / own);
  return static_cast<Real>(-std::log(share) * static_cast<double>(weight));
}

template class BallRules<float>;
template class BallRules<double>;
template float query_loss(std::span<const float>, std::uint32_t, float, std::vector<float>&);
template double query_loss(std::span<const double>, std::uint32_t, double, std::vector<double>&);

}  // namespace lerpp
