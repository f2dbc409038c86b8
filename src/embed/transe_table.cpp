// SPDX-License-Identifier: Apache-2.0
#include "embed/transe_table.hpp"

#include <cmath>
#include <numeric>

#include <lerp/base/parallel.hpp>

#include "model/real.hpp"

namespace lerpp {
namespace {

template <class Real>
Real dot(std::size_t size, const Real* left, const Real* right) {
  return std::inner_product(left, left + size, right, Real{0});
}

template <class Real>
Real length(std::size_t size, const Real* vector) {
  return std::sqrt(dot(size, vector, vector));
}

template <class Real>
Real inverse(Real number) {
  return number > 0 ? 1 / number : Real{0};
}

}  // namespace

template <class Real>
TransETable<Real>::TransETable(const Graph& graph, const TransEShape& shape, Team& team)
    : shape_(shape),
      team_(team),
      stride_(kernels::padded(shape.dimension)),
      units_(graph.entities() * stride_),
      lengths_(graph.entities()),
      sums_(transe_parts) {
  if (shape.depth == 0) return;
  function_weights_.emplace(shape.functions());
  functions_.emplace(graph, shape.functions());
  everyone_.resize(graph.entities());
  std::iota(everyone_.begin(), everyone_.end(), EntityId{0});
  function_parts_.resize(units_.size());
}

template <class Real>
const Real* TransETable<Real>::functions(std::size_t entity) const {
  return functions_->values() + entity * functions_->width();
}

template <class Real>
void TransETable<Real>::forward(const TransEParameters<Real>& parameters, const Mask* mask) {
  if (functions_) {
    function_weights_->take(parameters.functions);
    functions_->begin(*function_weights_, everyone_, mask, true);
    functions_->forward(team_);
    const std::size_t m = shape_.width;
    const std::size_t width = functions_->width();
    rotation_.assign(shape_.dimension * width, Real{0});
    rotation_t_.assign(m * stride_, Real{0});
    for (std::size_t k = 0; k < shape_.dimension; ++k) {
      for (std::size_t i = 0; i < m; ++i) {
        rotation_[k * width + i] = parameters.rotation[k * m + i];
        rotation_t_[i * stride_ + k] = parameters.rotation[k * m + i];
      }
    }
  }
  each_transe_part(team_, [&](unsigned part) {
    if (functions_) add_functions(part);
    normalise(parameters, part);
  });
}

template <class Real>
void TransETable<Real>::add_functions(unsigned part) {
  const auto [first, last] = slice(lengths_.size(), part, transe_parts);
  kernels::matrix<Real>().multiply(last - first, stride_, shape_.width, functions(first),
                                   functions_->width(), 1, rotation_t_.data(), stride_,
                                   function_parts_.data() + first * stride_, stride_, false);
}

template <class Real>
void TransETable<Real>::normalise(const TransEParameters<Real>& parameters, unsigned part) {
  const std::size_t dimension = shape_.dimension;
  Sums& sums = sums_[part];
  sums.entity_lengths = sums.function_lengths = 0;
  const auto [first, last] = slice(lengths_.size(), part, transe_parts);
  for (std::size_t entity = first; entity < last; ++entity) {
    const Real* const own = parameters.entity.data() + entity * dimension;
    Real* const unit = units_.data() + entity * stride_;
    std::copy(own, own + dimension, unit);
    if (functions_) {
      const Real* const added = function_parts_.data() + entity * stride_;
      for (std::size_t k = 0; k < dimension; ++k) unit[k] += added[k];
      sums.entity_lengths += static_cast<double>(length(dimension, own));
      sums.function_lengths += static_cast<double>(length(dimension, added));
    }
    lengths_[entity] = length(dimension, unit);
    const Real scale = inverse(lengths_[entity]);
    for (std::size_t k = 0; k < dimension; ++k) unit[k] *= scale;
  }
}

template <class Real>
typename TransETable<Real>::Sums TransETable<Real>::total() const {
  Sums all;
  for (const Sums& sums : sums_) {
    all.entity_lengths += sums.entity_lengths;
    all.function_lengths += sums.function_lengths;
  }
  return all;
}

template <class Real>
double TransETable<Real>::ratio() const {
  const Sums all = total();
  return all.function_lengths > 0 ? all.entity_lengths / all.function_lengths : 0;
}

template <class Real>
void TransETable<Real>::backward(const TransEParameters<Real>& parameters, double eta,
                                 std::span<Real> unit_gradient, TransEParameters<Real>& gradient) {
  each_transe_part(team_, [&](unsigned part) {
    lengths_backward(parameters, eta, unit_gradient, gradient, part);
    if (functions_) rotation_backward(unit_gradient, part);
  });
  if (!functions_) return;
  for (const Sums& sums : sums_) {
    for (std::size_t k = 0; k < shape_.dimension; ++k) {
      for (std::size_t i = 0; i < shape_.width; ++i)
        gradient.rotation[k * shape_.width + i] += sums.rotation[i * stride_ + k];
    }
  }
  functions_->backward(team_);
  functions_->store(gradient.functions, gradient.functions.shared());
}

/// Through the unit length to embed(e), and, in place of the units' gradient, to W L(e).
template <class Real>
void TransETable<Real>::lengths_backward(const TransEParameters<Real>& parameters, double eta,
                                         std::span<Real> unit_gradient,
                                         TransEParameters<Real>& gradient, unsigned part) {
  const std::size_t dimension = shape_.dimension;
  const Sums all = total();
  const bool divides = functions_ && all.function_lengths > 0;
  const Real entity_pull = divides ? static_cast<Real>(eta / all.function_lengths) : Real{0};
  const Real function_pull =
      divides ? static_cast<Real>(-eta * ratio() / all.function_lengths) : Real{0};
  const auto [first, last] = slice(lengths_.size(), part, transe_parts);
  for (std::size_t entity = first; entity < last; ++entity) {
    const Real* const unit = units_.data() + entity * stride_;
    Real* const d = unit_gradient.data() + entity * stride_;
    const Real along = dot(dimension, unit, d);
    const Real scale = inverse(lengths_[entity]);
    for (std::size_t k = 0; k < dimension; ++k) d[k] = (d[k] - along * unit[k]) * scale;

    const Real* const own = parameters.entity.data() + entity * dimension;
    Real* const own_gradient = gradient.entity.data() + entity * dimension;
    const Real own_pull = divides ? entity_pull * inverse(length(dimension, own)) : Real{0};
    for (std::size_t k = 0; k < dimension; ++k) own_gradient[k] += d[k] + own_pull * own[k];
    if (!divides) continue;
    const Real* const added = function_parts_.data() + entity * stride_;
    const Real part_pull = function_pull * inverse(length(dimension, added));
    for (std::size_t k = 0; k < dimension; ++k) d[k] += part_pull * added[k];
  }
}

template <class Real>
void TransETable<Real>::rotation_backward(std::span<const Real> sum_gradient, unsigned part) {
  const std::size_t width = functions_->width();
  const auto [first, last] = slice(lengths_.size(), part, transe_parts);
  const Real* const d = sum_gradient.data() + first * stride_;
  kernels::matrix<Real>().multiply(last - first, width, shape_.dimension, d, stride_, 1,
                                   rotation_.data(), width, functions_->gradient() + first * width,
                                   width, false);
  Buffer<Real>& rotation = sums_[part].rotation;
  rotation.assign(shape_.width * stride_, Real{0});
  kernels::matrix<Real>().multiply(shape_.width, stride_, last - first, functions(first), 1, width,
                                   d, stride_, rotation.data(), stride_, true);
}

template class TransETable<LERP_REAL>;

}  // namespace lerpp
