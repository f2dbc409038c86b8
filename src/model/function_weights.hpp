// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/buffer.hpp"
#include "model/kernels.hpp"

namespace lerpp {

/// The parameters of the functions with their softmaxes taken, laid out for the kernels: found once
/// and then read by all that compute functions.
template <class Real>
class FunctionWeights {
 public:
  struct Column {
    // Padded and transposed: of an edge as the row's entity sees it, in either direction.
    Buffer<Real> alpha_in, alpha_out;
    Buffer<Real> p;                  // six rows
    Buffer<Real> beta_and, beta_or;  // row i: partners of function i
    Buffer<Real> beta_and_t, beta_or_t;
  };

  explicit FunctionWeights(const ModelShape& shape);

  const ModelShape& shape() const { return shape_; }
  /// Of a row of functions, padded.
  std::size_t width() const { return width_; }
  const Column& column(std::uint32_t j) const { return columns_[j - 1]; }
  /// v_0 of an entity of a type: a padded row for each, and a last one for an unknown type.
  const Real* start(std::size_t type) const { return start_.data() + type * width_; }
  kernels::Operations<Real> operations(std::uint32_t j) const;
  /// Plain weights of a tensor, for the way back.
  const Buffer<Real>& softmax(std::size_t tensor) const { return softmaxes_[tensor]; }

  /// Takes one of the functions' tensors. Tensors can be taken at the same time.
  void take(const Parameters<Real>& parameters, std::size_t tensor);
  void take(const Parameters<Real>& parameters) {
    for (std::size_t tensor = 0; tensor < softmaxes_.size(); ++tensor) take(parameters, tensor);
  }
  std::size_t tensors() const { return softmaxes_.size(); }

 private:
  void take_start(const Buffer<Real>& plain);
  void take_alpha(Column& column, const Buffer<Real>& plain) const;

  ModelShape shape_;
  std::size_t width_;
  Buffer<Real> start_;           ///< empty where entities have no types
  std::vector<Column> columns_;  ///< columns_[j - 1] is the paper's column j
  std::vector<Buffer<Real>> softmaxes_;
};

}  // namespace lerpp
