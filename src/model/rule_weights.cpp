// SPDX-License-Identifier: Apache-2.0
#include "model/rule_weights.hpp"

#include <algorithm>
#include <cmath>

#include "model/real.hpp"

namespace lerpp {

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
      stride_(kernels::padded((shape.length + std::size_t{1}) * width_)),
      constrained_width_(copies > 1 ? width_
                                    : std::min(width_, kernels::padded(shape.constrained()))) {}

template <class Real>
void RuleWeights<Real>::prepare(const Parameters<Real>& parameters, OperatorId target,
                                std::uint32_t length) {
  length_ = length;
  stride_ = kernels::padded((length + std::size_t{1}) * width_);
  const std::size_t functions = shape_.functions();
  const std::span<const OperatorId> operators = parameters.operators(target);
  operators_.assign(operators.begin(), operators.end());
  operators_.push_back(shape_.operators());
  a_.resize(parameters.a(target).size());
  rho_.resize(parameters.rho(target).size());
  hops_.assign(shape_.length * shape_.rule_operators() * width_, Real{0});
  outer_.assign(width_, Real{0});
  weight_.assign((shape_.length + std::size_t{1}) * width_, Real{0});
  scale_.assign(weight_.size(), Real{0});
  truth_.assign(stride_, Real{0});
  rho_in_.assign(functions * stride_, Real{0});
  rho_out_.assign(stride_ * kernels::padded(functions), Real{0});
  squash(parameters, target);
  for (std::size_t copy = 0; copy < copies_; ++copy) {
    for (std::size_t rule = 0; rule < shape_.rules; ++rule)
      lay_out(parameters, target, rule, copy * shape_.rules + rule);
  }
}

template <class Real>
void RuleWeights<Real>::squash(const Parameters<Real>& parameters, OperatorId target) {
  const std::span<const Real> a = parameters.a(target);
  if (shape_.positive) {
    for (std::size_t i = 0; i < a.size(); ++i) a_[i] = std::exp(a[i]);
  } else {
    kernels::matrix<Real>().softmax(shape_.rules * std::size_t{shape_.length}, operators_.size(),
                                    a.data(), a_.data());
  }
  kernels::matrix<Real>().softmax(shape_.constrained() * (shape_.length + std::size_t{1}),
                                  shape_.functions() + 1, parameters.rho(target).data(),
                                  rho_.data());
}

template <class Real>
void RuleWeights<Real>::lay_out(const Parameters<Real>& parameters, OperatorId target,
                                std::size_t rule, std::size_t lane) {
  const std::size_t functions = shape_.functions();
  const std::size_t padded_functions = kernels::padded(functions);
  for (std::size_t k = 0; k < length_; ++k) {
    const Real* from = a_.data() + (rule * shape_.length + k) * operators_.size();
    for (const OperatorId op : operators_) hops_[hop_place(lane, k, op)] = *from++;
  }
  const std::size_t first = rule * (shape_.length + std::size_t{1});
  for (std::size_t k = 0; k <= length_; ++k) {
    const std::size_t column = k * width_ + lane;
    truth_[column] = 1;
    if (rule < shape_.constrained()) {
      const Real* from = rho_.data() + (first + k) * (functions + 1);
      truth_[column] = from[0];
      for (std::size_t i = 0; i < functions; ++i) {
        rho_in_[i * stride_ + column] = from[i + 1];
        rho_out_[column * padded_functions + i] = from[i + 1];
      }
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
  for_constrained([&](std::size_t first, std::size_t columns) {
    kernels::matrix<Real>().multiply(rows, columns, shape_.functions(), functions, function_width,
                                     1, rho_in_.data() + first, stride_, out + first, stride_,
                                     true);
  });
}

template <class Real>
void RuleWeights<Real>::functions_gradient(std::size_t rows, const Real* constraint_gradient,
                                           std::size_t function_width, Real* out) const {
  for_constrained([&](std::size_t first, std::size_t columns) {
    kernels::matrix<Real>().multiply(rows, function_width, columns, constraint_gradient + first,
                                     stride_, 1, rho_out_.data() + first * function_width,
                                     function_width, out, function_width, first > 0);
  });
}

template <class Real>
void RuleWeights<Real>::clear(Sums& sums) const {
  sums.hops.assign(hops_.size(), Real{0});
  sums.outer.assign(shape_.evidence ? 0 : width_, Real{0});
  sums.weight.assign(shape_.evidence ? weight_.size() : 0, Real{0});
  sums.scale.assign(sums.weight.size(), Real{0});
}

template <class Real>
void RuleWeights<Real>::sum_constraints(std::size_t rows, const Real* constraint_gradient,
                                        const Real* functions, std::size_t function_width,
                                        ConstraintSums& sums) const {
  sums.truth.assign(stride_, Real{0});
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < stride_; ++i)
      sums.truth[i] += constraint_gradient[row * stride_ + i];
  }
  sums.rho.resize(stride_ * function_width);
  for_constrained([&](std::size_t first, std::size_t columns) {
    kernels::matrix<Real>().multiply(
        columns, function_width, rows, constraint_gradient + first, 1, stride_, functions,
        function_width, sums.rho.data() + first * function_width, function_width, false);
  });
}

template <class Real>
void RuleWeights<Real>::store(std::span<const Sums> sums,
                              std::span<const ConstraintSums> constraints, OperatorId target,
                              Parameters<Real>& gradient) const {
  Buffer<Real> a(a_.size());
  for (std::size_t copy = 0; copy < copies_; ++copy) {
    for (std::size_t rule = 0; rule < shape_.rules; ++rule) {
      const std::size_t lane = copy * shape_.rules + rule;
      for (const Sums& part : sums) add_hops(part, lane, rule, a);
      if (shape_.evidence) continue;
      Real outer = 0;
      for (const Sums& part : sums) outer += part.outer[lane];
      gradient.w(target)[rule] += outer * outer_[lane] * (1 - outer_[lane]);
    }
  }
  const std::span<Real> raw = gradient.a(target);
  if (shape_.positive) {
    for (std::size_t i = 0; i < raw.size(); ++i) raw[i] += a_[i] * a[i];
  } else {
    kernels::matrix<Real>().softmax_backward(shape_.rules * std::size_t{shape_.length},
                                             operators_.size(), a_.data(), a.data(), raw.data());
  }
  if (!constraints.empty()) store_constraints(constraints, target, gradient);
  if (shape_.evidence) store_readout(sums, target, gradient);
}

template <class Real>
void RuleWeights<Real>::add_hops(const Sums& part, std::size_t lane, std::size_t rule,
                                 Buffer<Real>& a) const {
  for (std::size_t k = 0; k < length_; ++k) {
    Real* to = a.data() + (rule * shape_.length + k) * operators_.size();
    for (const OperatorId op : operators_) *to++ += part.hops[hop_place(lane, k, op)];
  }
}

template <class Real>
void RuleWeights<Real>::store_constraints(std::span<const ConstraintSums> sums, OperatorId target,
                                          Parameters<Real>& gradient) const {
  const std::size_t functions = shape_.functions();
  const std::size_t function_width = kernels::padded(functions);
  const std::size_t variables = shape_.length + std::size_t{1};
  Buffer<Real> rho(rho_.size());
  for (const ConstraintSums& part : sums) {
    for (std::size_t copy = 0; copy < copies_; ++copy) {
      for (std::size_t rule = 0; rule < shape_.constrained(); ++rule) {
        for (std::size_t k = 0; k <= length_; ++k) {
          Real* to = rho.data() + (rule * variables + k) * (functions + 1);
          const std::size_t column = k * width_ + copy * shape_.rules + rule;
          to[0] += part.truth[column];
          const Real* from = part.rho.data() + column * function_width;
          for (std::size_t i = 0; i < functions; ++i) to[i + 1] += from[i];
        }
      }
    }
  }
  kernels::matrix<Real>().softmax_backward(shape_.constrained() * variables, functions + 1,
                                           rho_.data(), rho.data(), gradient.rho(target).data());
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

template class RuleWeights<LERP_REAL>;

}  // namespace lerpp
