#pragma once

#include <span>
#include <vector>

#include <lerp/model/parameters.hpp>

#include "model/kernels.hpp"

namespace lerpp {

/// The rules of one target with their softmaxes taken, laid out for the kernels: rules lie side by
/// side, padded with zeros, so that one vector serves several.
template <class Real>
class RuleWeights {
 public:
  explicit RuleWeights(const ModelShape& shape);

  void prepare(const Parameters<Real>& parameters, OperatorId target);

  const ModelShape& shape() const { return shape_; }
  /// Rules with padding.
  std::size_t width() const { return width_; }
  /// A row of constraints: c_0..c_K, each of width(), with padding.
  std::size_t stride() const { return stride_; }
  /// Weights of hop k (counted from 1): a row for each operator, the identity last.
  const Real* hop(std::uint32_t k) const { return hops_.data() + (k - 1) * hop_size(); }
  std::size_t hop_size() const { return shape_.rule_operators() * width_; }
  /// sigmoid(w) of each rule.
  const Real* outer() const { return outer_.data(); }

  /// Constraints (rows x stride) of entities from their functions (rows x function_width).
  void constraints(std::size_t rows, const Real* functions, std::size_t function_width,
                   Real* out) const;
  /// Gradient of the functions from that of the constraints.
  void functions_gradient(std::size_t rows, const Real* constraint_gradient,
                          std::size_t function_width, Real* out) const;

  /// What a batch adds up, by one worker.
  struct Sums {
    std::vector<Real> hops;   ///< K x operators x width
    std::vector<Real> outer;  ///< of sigmoid(w)
    std::vector<Real> rho;    ///< stride x function_width
    std::vector<Real> truth;  ///< stride: of L_0
  };
  void clear(Sums& sums, std::size_t function_width) const;
  /// Adds to `rho` and `truth` what the gradient of some rows' constraints means for them.
  void add_constraints(std::size_t rows, const Real* constraint_gradient, const Real* functions,
                       std::size_t function_width, Sums& sums) const;
  /// Adds the workers' sums to the gradient of the raw parameters.
  void store(std::span<const Sums> sums, std::size_t function_width, OperatorId target,
             Parameters<Real>& gradient) const;

 private:
  ModelShape shape_;
  std::size_t width_;
  std::size_t stride_;
  std::vector<Real> a_, rho_;  ///< plain softmaxes, for the way back
  std::vector<Real> hops_, outer_;
  std::vector<Real> truth_;    ///< stride: weight of L_0
  std::vector<Real> rho_in_;   ///< functions x stride
  std::vector<Real> rho_out_;  ///< stride x padded functions
};

}  // namespace lerpp
