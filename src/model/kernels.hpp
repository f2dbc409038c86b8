// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <lerp/kg/graph.hpp>

/// The inner loops, compiled for several instruction sets; the best that the machine has is chosen
/// at run time. All rows are padded with zeros: widths of functions and constraints to
/// `lane_multiple`, rules as `padded_rules` says. No pointer may alias another.
namespace lerpp::kernels {

inline constexpr std::size_t lane_multiple = 16;
inline constexpr std::uint32_t no_slot = ~std::uint32_t{0};

inline std::size_t padded(std::size_t width) {
  return (width + lane_multiple - 1) / lane_multiple * lane_multiple;
}
/// Few rules are worth a narrower vector.
inline std::size_t padded_rules(std::size_t rules) {
  return rules <= 4 ? 4 : rules <= 8 ? 8 : padded(rules);
}

template <class Real>
struct Matrix {
  /// C (rows x columns) = or += A B, where A[i, k] lies at a[i * a_row + k * a_column] and B and C
  /// are row-major. `columns` is a multiple of lane_multiple.
  void (*multiply)(std::size_t rows, std::size_t columns, std::size_t depth, const Real* a,
                   std::size_t a_row, std::size_t a_column, const Real* b, std::size_t b_row,
                   Real* c, std::size_t c_row, bool accumulate);
  /// Softmax of each row of `count` values.
  void (*softmax)(std::size_t rows, std::size_t count, const Real* raw, Real* weights);
  /// raw_gradient += weights * (gradient - sum(weights * gradient)), row by row.
  void (*softmax_backward)(std::size_t rows, std::size_t count, const Real* weights,
                           const Real* gradient, Real* raw_gradient);
};

/// The six operations of a column, p_1..p_6, each a row of the padded width.
template <class Real>
struct Operations {
  const Real* p[6];
};
template <class Real>
struct OperationGradients {
  Real* p[6];
};

template <class Real>
struct Columns {
  /// sum_i = sum over edges of weights[op] * values[slots[target]], or of weights[op] where there
  /// are no values (column 0 is true everywhere). Edges are sorted by op; those without a slot are
  /// left out.
  void (*gather)(std::size_t width, const Edge* edges, std::size_t count, const Real* weights,
                 const Real* values, const std::uint32_t* slots, Real* sum);
  /// The other way: sum += weights[op] * values[slots[target]] and, at the same time,
  /// weight_gradient[op] += own * values[slots[target]].
  void (*gather_backward)(std::size_t width, const Edge* edges, std::size_t count,
                          const Real* weights, const Real* values, const std::uint32_t* slots,
                          const Real* own, Real* sum, Real* weight_gradient);
  /// x = 1 - exp(-x)
  void (*clamp)(std::size_t count, Real* x);
  /// next = the mixture of the six operations of v, its chain, and its partners for and / or.
  void (*merge)(std::size_t width, const Operations<Real>& operations, const Real* v,
                const Real* chain, const Real* partner_and, const Real* partner_or, Real* next);
  /// Gradients of merge: of v (+=), of the operations (+=), and, in place of their values, of the
  /// partners and of the sum below the chain's clamp.
  void (*merge_backward)(std::size_t width, const Operations<Real>& operations, const Real* v,
                         Real* chain, Real* partner_and, Real* partner_or,
                         const Real* next_gradient, Real* v_gradient,
                         const OperationGradients<Real>& gradients);
};

/// The part of the graph that one query reaches, in the order of discovery.
struct BallView {
  const std::size_t* starts;  ///< of each expanded node's edges, and one more
  const Edge* edges;          ///< targets are places in the ball; sorted by op within a node
};

/// How a block of rules becomes evidence: weight * log(1 + scale * x), rule by rule.
template <class Real>
struct Readout {
  const Real* weight;
  const Real* scale;
};

template <class Real>
struct Rules {
  /// next = (x A) for one hop: `before` nodes are expanded, `after` nodes may be reached. `weights`
  /// has a row of `width` rules for each operator, the identity last.
  void (*hop)(std::size_t width, const BallView& ball, std::size_t before, std::size_t after,
              const Real* weights, std::size_t identity, const Real* x, Real* next);
  /// The same on a whole ball, gathered by the nodes that are reached: where many nodes hold
  /// something, sums in registers beat additions to memory.
  void (*hop_whole)(std::size_t width, const BallView& ball, std::size_t nodes, const Real* weights,
                    std::size_t identity, const Real* x, Real* next);
  /// For the nodes [first, last): x_gradient = next_gradient A^T; weight_gradient += x^T
  /// next_gradient, operator by operator.
  void (*hop_backward)(std::size_t width, const BallView& ball, std::size_t first, std::size_t last,
                       const Real* weights, std::size_t identity, const Real* x,
                       const Real* next_gradient, Real* x_gradient, Real* weight_gradient);
  /// The same where few nodes have a gradient: only rows of next_gradient with a mark count.
  /// Writes the rows of x_gradient that come out of them, and their marks.
  void (*hop_backward_marked)(std::size_t width, const BallView& ball, std::size_t first,
                              std::size_t last, const Real* weights, std::size_t identity,
                              const Real* x, const Real* next_gradient,
                              const std::uint8_t* next_marks, Real* x_gradient, std::uint8_t* marks,
                              Real* weight_gradient);
  /// scores[node] += the evidence of all rules of the block.
  void (*read_out)(std::size_t width, std::size_t nodes, const Readout<Real>& readout,
                   const Real* x, Real* scores);
  /// For one node: x_gradient (+= where `marked`, else =) and the gradients (+=) of the weights and
  /// of the logarithms of the scales.
  void (*read_out_backward)(std::size_t width, const Readout<Real>& readout, const Real* x,
                            Real gradient, bool marked, Real* x_gradient, Real* weight_gradient,
                            Real* scale_gradient);
  /// x = u * constraint[slot], node by node; constraints have rows of `stride`, this hop's at
  /// `offset`.
  void (*constrain)(std::size_t width, std::size_t nodes, const Real* u, const Real* constraints,
                    std::size_t stride, std::size_t offset, const std::uint32_t* slots, Real* x);
  /// x_gradient becomes the gradient of u; constraint_gradient += x_gradient * u, in rows that may
  /// lie in another order. Where there are marks, nodes without one are left out.
  void (*constrain_backward)(std::size_t width, std::size_t nodes, const std::uint8_t* marks,
                             const Real* u, const Real* constraints, std::size_t stride,
                             std::size_t offset, const std::uint32_t* slots, Real* x_gradient,
                             Real* constraint_gradient, const std::uint32_t* gradient_slots);
};

/// A softmax over many scores, in blocks of `score_block`, so that what hardly counts can be passed
/// over a block at a time.
inline constexpr std::size_t score_block = 64;
template <class Real>
struct Shares {
  /// In place of the scores: exp(score - the largest). `sums` and `most` get the sum and the
  /// largest of each block, `largest` the largest score. Returns the sum of all.
  double (*exponentials)(std::size_t count, Real* scores, Real* sums, Real* most, Real* largest);
};

template <class Real>
const Matrix<Real>& matrix();
template <class Real>
const Columns<Real>& columns();
template <class Real>
const Rules<Real>& rules();
template <class Real>
const Shares<Real>& shares();

}  // namespace lerpp::kernels
