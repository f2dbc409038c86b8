// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <lerp/model/parameters.hpp>

#include "model/buffer.hpp"
#include "model/kernels.hpp"

namespace lerpp {

/// The rules of one target with their softmaxes taken, laid out for the kernels: rules lie side by
/// side, padded with zeros, so that one vector serves several; operators that the target has no
/// weight for have 0. Many rules come in blocks of a few, so that what a block holds of every node
/// stays in the first-level cache. Few rules may lie there in copies, each for a query of its own:
/// lane c N + l is rule l of copy c.
template <class Real>
class RuleWeights {
 public:
  explicit RuleWeights(const ModelShape& shape, std::size_t copies = 1);

  /// Takes the rules of a target, of their hops the first `length`.
  void prepare(const Parameters<Real>& parameters, OperatorId target, std::uint32_t length);

  const ModelShape& shape() const { return shape_; }
  /// Hops in use: at most K.
  std::uint32_t length() const { return length_; }
  std::size_t copies() const { return copies_; }
  /// Lanes of a copy in a block; one copy alone has the padding too.
  std::size_t copy_width() const { return copies_ == 1 ? block_width_ : shape_.rules; }
  /// Rules, in all copies, with padding.
  std::size_t width() const { return width_; }
  /// A row of constraints: c_0..c_length, each of width(), with padding.
  std::size_t stride() const { return stride_; }
  std::size_t block_width() const { return block_width_; }
  std::size_t blocks() const { return width_ / block_width_; }
  /// Weights of hop k (counted from 1) of a block: a row for each operator, the identity last.
  const Real* hop(std::size_t block, std::uint32_t k) const {
    return hops_.data() + hop_offset(block, k);
  }
  /// Where they start, here and in Sums::hops.
  std::size_t hop_offset(std::size_t block, std::uint32_t k) const {
    return (block * shape_.length + k - 1) * shape_.rule_operators() * block_width_;
  }
  /// Memory of the weights of all hops, and of their sums.
  std::size_t hop_bytes() const {
    return shape_.length * shape_.rule_operators() * width_ * sizeof(Real) + 1;
  }
  /// sigmoid(w) of each lane's rule.
  const Real* outer() const { return outer_.data(); }
  /// Evidence of the rules of a block at hop k (counted from 0): signed weights, and positive
  /// scales of what they see.
  kernels::Readout<Real> readout(std::size_t block, std::uint32_t k) const {
    const std::size_t at = readout_offset(block, k);
    return {weight_.data() + at, scale_.data() + at};
  }
  /// Where they start, here and in Sums::weight and Sums::scale.
  std::size_t readout_offset(std::size_t block, std::uint32_t k) const {
    return k * width_ + block * block_width_;
  }

  /// Constraints (rows x stride) of entities from their functions (rows x function_width).
  void constraints(std::size_t rows, const Real* functions, std::size_t function_width,
                   Real* out) const;
  /// Gradient of the functions from that of the constraints.
  void functions_gradient(std::size_t rows, const Real* constraint_gradient,
                          std::size_t function_width, Real* out) const;

  /// What some queries add up.
  struct Sums {
    Buffer<Real> hops;           ///< blocks x K x operators x block width
    Buffer<Real> outer;          ///< of sigmoid(w)
    Buffer<Real> weight, scale;  ///< (K+1) x width: of the weights and of the raw scales
  };
  /// What the constraints of some rows add up.
  struct ConstraintSums {
    Buffer<Real> rho;    ///< stride x function_width
    Buffer<Real> truth;  ///< stride: of L_0
  };
  void clear(Sums& sums) const;
  /// Sets the sums to what the gradient of some rows' constraints means for them.
  void sum_constraints(std::size_t rows, const Real* constraint_gradient, const Real* functions,
                       std::size_t function_width, ConstraintSums& sums) const;
  /// Adds sums to the gradient of the raw parameters, in their order.
  void store(std::span<const Sums> sums, std::span<const ConstraintSums> constraints,
             OperatorId target, Parameters<Real>& gradient) const;

 private:
  /// Calls visit(first, count) for the columns of a row that constraints are computed for.
  template <class Visit>
  void for_constrained(Visit visit) const {
    if (constrained_width_ == width_) return visit(std::size_t{0}, stride_);
    for (std::size_t k = 0; k <= length_; ++k) visit(k * width_, constrained_width_);
  }
  /// Weights of the rules from their raw parameters.
  void squash(const Parameters<Real>& parameters, OperatorId target);
  /// Puts the weights of a rule where the kernels want them.
  void lay_out(const Parameters<Real>& parameters, OperatorId target, std::size_t rule,
               std::size_t lane);
  void add_hops(const Sums& part, std::size_t lane, std::size_t rule, Buffer<Real>& a) const;
  void store_constraints(std::span<const ConstraintSums> sums, OperatorId target,
                         Parameters<Real>& gradient) const;
  void store_readout(std::span<const Sums> sums, OperatorId target,
                     Parameters<Real>& gradient) const;
  /// Where the weight of a lane, hop (from 0) and operator lies.
  std::size_t hop_place(std::size_t lane, std::size_t k, std::size_t op) const {
    return hop_offset(lane / block_width_, static_cast<std::uint32_t>(k) + 1) + op * block_width_ +
           lane % block_width_;
  }

  ModelShape shape_;
  std::size_t copies_;
  std::size_t width_;
  std::size_t block_width_;
  std::uint32_t length_;
  std::size_t stride_;
  std::size_t constrained_width_;      ///< lanes of a variable that may have constraints
  std::vector<OperatorId> operators_;  ///< that the target has, and the identity
  Buffer<Real> a_, rho_;               ///< plain weights, for the way back
  Buffer<Real> hops_, outer_;
  Buffer<Real> weight_, scale_;
  Buffer<Real> truth_;    ///< stride: weight of L_0
  Buffer<Real> rho_in_;   ///< functions x stride
  Buffer<Real> rho_out_;  ///< stride x padded functions
};

/// How many queries share a vector of rules.
std::size_t rule_copies(const ModelShape& shape);

}  // namespace lerpp
