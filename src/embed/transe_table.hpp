// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/embed/transe.hpp>

#include "model/buffer.hpp"
#include "model/functions.hpp"

namespace lerpp {

/// What is summed over entities or candidates is summed in so many parts, one after the other: the
/// bits do not depend on the threads.
inline constexpr unsigned transe_parts = 16;

template <class Work>
void each_transe_part(Team& team, Work&& work) {
  team.each(transe_parts,
            [&](unsigned /*worker*/, std::size_t item) { work(static_cast<unsigned>(item)); });
}

/// The vectors of all entities, embed'(e) = embed(e) + W L(e) at unit length: forward and backward.
template <class Real>
class TransETable {
 public:
  /// The graph and the team must outlive it.
  TransETable(const Graph& graph, const TransEShape& shape, Team& team);

  /// Hidden edges do not count in the functions. A vector of no length stays 0.
  void forward(const TransEParameters<Real>& parameters, const Mask* mask);

  /// A row of stride() values, zeros after the dimension.
  const Real* unit(std::size_t entity) const { return units_.data() + entity * stride_; }
  std::size_t stride() const { return stride_; }
  /// L_1..L_m of an entity.
  const Real* functions(std::size_t entity) const;
  /// sum_e |embed(e)| / sum_e |W L(e)|; 0 where there is nothing to divide by.
  double ratio() const;

  /// Adds what `unit_gradient`, laid out as the units, and `eta` times the ratio mean for the
  /// parameters. Uses the gradient as scratch.
  void backward(const TransEParameters<Real>& parameters, double eta, std::span<Real> unit_gradient,
                TransEParameters<Real>& gradient);

 private:
  /// What one part has summed.
  struct Sums {
    double entity_lengths = 0;
    double function_lengths = 0;
    Buffer<Real> rotation;  ///< m x stride: of W transposed
  };

  void add_functions(unsigned part);
  void normalise(const TransEParameters<Real>& parameters, unsigned part);
  void lengths_backward(const TransEParameters<Real>& parameters, double eta,
                        std::span<Real> unit_gradient, TransEParameters<Real>& gradient,
                        unsigned part);
  void rotation_backward(std::span<const Real> sum_gradient, unsigned part);
  Sums total() const;

  TransEShape shape_;
  Team& team_;
  std::size_t stride_;
  std::optional<FunctionWeights<Real>> function_weights_;  ///< none in plain TransE
  std::optional<Functions<Real>> functions_;
  std::vector<EntityId> everyone_;
  Buffer<Real> rotation_, rotation_t_;  ///< W and its transpose, padded
  Buffer<Real> units_;
  Buffer<Real> function_parts_;  ///< W L(e)
  std::vector<Real> lengths_;    ///< of embed(e) + W L(e)
  std::vector<Sums> sums_;
};

}  // namespace lerpp
