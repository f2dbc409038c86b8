#include "model/rule_weights.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {
namespace {

/// Fewer rules than this are not worth sharing among workers.
constexpr std::size_t least_shared = 64;

}  // namespace

std::size_t rule_copies(const ModelShape& shape) {
  // Evidence is read out for one query at a time.
  return shape.evidence ? 1 : std::max<std::size_t>(1, kernels::lane_multiple / shape.rules);
}

template <class Real>
RuleWeights<Real>::RuleWeights(const ModelShape& shape, std::size_t copies)
    : shape_(shape),
      copies_(copies),
      width_(kernels::padded_rules(copies * shape.rules)),
      block_width_(std::min(width_, kernels::lane_multiple)),
      length_(shape.length),
      stride_(kernels::padded((shape.length + std::size_t{1}) * width_)) {}

template <class Real>
void RuleWeights<Real>::prepare(const Parameters<Real>& parameters, OperatorId target,
                                std::uint32_t length, Team* team) {
  length_ = length;
  stride_ = kernels::padded((length + std::size_t{1}) * width_);
  const std::size_t functions = shape_.functions();
  a_.resize(parameters.a(target).size());
  rho_.resize(parameters.rho(target).size());
  hops_.assign(shape_.length * shape_.rule_operators() * width_, Real{0});
  outer_.assign(width_, Real{0});
  weight_.assign((shape_.length + std::size_t{1}) * width_, Real{0});
  scale_.assign(weight_.size(), Real{0});
  truth_.assign(stride_, Real{0});
  rho_in_.assign(functions * stride_, Real{0});
  rho_out_.assign(stride_ * kernels::padded(functions), Real{0});
  share(team, shape_.rules, least_shared, [&](std::size_t first, std::size_t last) {
    squash(parameters, target, first, last);
    for (std::size_t copy = 0; copy < copies_; ++copy) {
      for (std::size_t rule = first; rule < last; ++rule)
        lay_out(parameters, target, rule, copy * shape_.rules + rule);
    }
  });
}

template <class Real>
void RuleWeights<Real>::squash(const Parameters<Real>& parameters, OperatorId target,
                               std::size_t first, std::size_t last) {
  const auto softmax = [&](std::span<const Real> raw, std::size_t rows, std::size_t count,
                           Buffer<Real>& out) {
    const std::size_t at = first * rows * count;
    kernels::matrix<Real>().softmax((last - first) * rows, count, raw.data() + at, out.data() + at);
  };
  const std::size_t operators = shape_.rule_operators();
  if (shape_.positive) {
    const std::span<const Real> raw = parameters.a(target);
    for (std::size_t i = first * shape_.length * operators; i < last * shape_.length * operators;
         ++i)
      a_[i] = std::exp(raw[i]);
  } else {
    softmax(parameters.a(target), shape_.length, operators, a_);
  }
  softmax(parameters.rho(target), shape_.length + std::size_t{1}, shape_.functions() + 1, rho_);
}

template <class Real>
void RuleWeights<Real>::lay_out(const Parameters<Real>& parameters, OperatorId target,
                                std::size_t rule, std::size_t lane) {
  const std::size_t operators = shape_.rule_operators();
  const std::size_t functions = shape_.functions();
  const std::size_t padded_functions = kernels::padded(functions);
  for (std::size_t k = 0; k < length_; ++k) {
    const Real* from = a_.data() + (rule * shape_.length + k) * operators;
    for (std::size_t op = 0; op < operators; ++op) hops_[hop_place(lane, k, op)] = from[op];
  }
  const std::size_t first = rule * (shape_.length + std::size_t{1});
  for (std::size_t k = 0; k <= length_; ++k) {
    const Real* from = rho_.data() + (first + k) * (functions + 1);
    const std::size_t column = k * width_ + lane;
    truth_[column] = from[0];
    for (std::size_t i = 0; i < functions; ++i) {
      rho_in_[i * stride_ + column] = from[i + 1];
      rho_out_[column * padded_functions + i] = from[i + 1];
    }
    if (shape_.evidence) {
      weight_[column] = parameters.of(Part::weight, target)[first + k];
      scale_[column] = std::exp(parameters.of(Part::scale, target)[first + k]);
    }
  }
  if (!shape_.evidence) outer_[lane] = 1 / (1 + std::exp(-parameters.w(target)[rule]));
}

template <class Real>
void RuleWeights<Real>::constraints(std::size_t rows, const Real* functions,
                                    std::size_t function_width, Real* out) const {
  for (std::size_t row = 0; row < rows; ++row)
    std::copy(truth_.begin(), truth_.end(), out + row * stride_);
  if (shape_.functions() == 0) return;
  kernels::matrix<Real>().multiply(rows, stride_, shape_.functions(), functions, function_width, 1,
                                   rho_in_.data(), stride_, out, stride_, true);
}

template <class Real>
void RuleWeights<Real>::functions_gradient(std::size_t rows, const Real* constraint_gradient,
                                           std::size_t function_width, Real* out) const {
  kernels::matrix<Real>().multiply(rows, function_width, stride_, constraint_gradient, stride_, 1,
                                   rho_out_.data(), function_width, out, function_width, false);
}

template <class Real>
void RuleWeights<Real>::clear(Sums& sums, std::size_t function_width) const {
  sums.hops.assign(hops_.size(), Real{0});
  sums.outer.assign(width_, Real{0});
  sums.weight.assign(weight_.size(), Real{0});
  sums.scale.assign(scale_.size(), Real{0});
  sums.rho.assign(stride_ * function_width, Real{0});
  sums.truth.assign(stride_, Real{0});
}

template <class Real>
void RuleWeights<Real>::add_constraints(std::size_t rows, const Real* constraint_gradient,
                                        const Real* functions, std::size_t function_width,
                                        Sums& sums) const {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < stride_; ++i)
      sums.truth[i] += constraint_gradient[row * stride_ + i];
  }
  if (shape_.functions() == 0) return;
  kernels::matrix<Real>().multiply(stride_, function_width, rows, constraint_gradient, 1, stride_,
                                   functions, function_width, sums.rho.data(), function_width,
                                   true);
}

template <class Real>
void RuleWeights<Real>::store(std::span<const Sums> sums, std::size_t function_width,
                              OperatorId target, Parameters<Real>& gradient, Team* team) const {
  const std::size_t operators = shape_.rule_operators();
  const std::size_t functions = shape_.functions();
  const std::size_t variables = shape_.length + std::size_t{1};
  Buffer<Real> a(a_.size());
  Buffer<Real> rho(rho_.size());
  share(team, shape_.rules, least_shared, [&](std::size_t first, std::size_t last) {
    for (std::size_t copy = 0; copy < copies_; ++copy) {
      for (std::size_t rule = first; rule < last; ++rule) {
        const std::size_t lane = copy * shape_.rules + rule;
        for (const Sums& part : sums) add_lane(part, function_width, lane, rule, a, rho);
        if (shape_.evidence) continue;
        Real outer = 0;
        for (const Sums& part : sums) outer += part.outer[lane];
        gradient.w(target)[rule] += outer * outer_[lane] * (1 - outer_[lane]);
      }
    }
    const std::size_t hops = first * shape_.length;
    if (shape_.positive) {
      const std::span<Real> raw = gradient.a(target);
      for (std::size_t i = hops * operators; i < last * shape_.length * operators; ++i)
        raw[i] += a_[i] * a[i];
    } else {
      kernels::matrix<Real>().softmax_backward(
          (last - first) * shape_.length, operators, a_.data() + hops * operators,
          a.data() + hops * operators, gradient.a(target).data() + hops * operators);
    }
    const std::size_t at = first * variables * (functions + 1);
    kernels::matrix<Real>().softmax_backward((last - first) * variables, functions + 1,
                                             rho_.data() + at, rho.data() + at,
                                             gradient.rho(target).data() + at);
  });
  if (shape_.evidence) store_readout(sums, target, gradient);
}

template <class Real>
void RuleWeights<Real>::add_lane(const Sums& part, std::size_t function_width, std::size_t lane,
                                 std::size_t rule, Buffer<Real>& a, Buffer<Real>& rho) const {
  const std::size_t operators = shape_.rule_operators();
  const std::size_t functions = shape_.functions();
  for (std::size_t k = 0; k < length_; ++k) {
    Real* to = a.data() + (rule * shape_.length + k) * operators;
    for (std::size_t op = 0; op < operators; ++op) to[op] += part.hops[hop_place(lane, k, op)];
  }
  for (std::size_t k = 0; k <= length_; ++k) {
    Real* to = rho.data() + (rule * (shape_.length + std::size_t{1}) + k) * (functions + 1);
    const std::size_t column = k * width_ + lane;
    to[0] += part.truth[column];
    for (std::size_t i = 0; i < functions; ++i) to[i + 1] += part.rho[column * function_width + i];
  }
}

template <class Real>
void RuleWeights<Real>::store_readout(std::span<const Sums> sums, OperatorId target,
                                      Parameters<Real>& gradient) const {
  const std::span<Real> weight = gradient.of(Part::weight, target);
  const std::span<Real> scale = gradient.of(Part::scale, target);
  for (const Sums& part : sums) {
    for (std::size_t rule = 0; rule < shape_.rules; ++rule) {
      const std::size_t first = rule * (shape_.length + std::size_t{1});
      for (std::size_t k = 0; k <= length_; ++k) {
        weight[first + k] += part.weight[k * width_ + rule];
        scale[first + k] += part.scale[k * width_ + rule];
      }
    }
  }
}

template class RuleWeights<float>;
template class RuleWeights<double>;

}  // namespace lerpp
