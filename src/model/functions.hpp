#pragma once

#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

#include "model/buffer.hpp"
#include "model/row_set.hpp"

namespace lerpp {

/// The logical functions L_1..L_m of entities: column after column, forward and backward.
///
/// A column needs the one before it at the same entities and at their neighbours, so only those
/// rows are computed: cost and memory follow the edges that a batch touches, not the size of the
/// graph.
template <class Real>
class Functions {
 public:
  Functions(const Graph& graph, const ModelShape& shape, Team& team);

  /// Takes the parameters: softmaxes, laid out for the kernels.
  void prepare(const Parameters<Real>& parameters);

  /// Computes L at these entities. Hidden edges do not count. With `keep`, all that backward()
  /// needs is kept.
  void forward(std::span<const EntityId> entities, const Mask* mask, bool keep);

  /// A row of padded width for each of the entities, in their order.
  const Real* values() const { return columns_.back().values.data(); }
  /// Column j, for tests: v_{j,i} of the entity, which must have been computed.
  const Real* values(std::uint32_t column, EntityId entity) const;
  std::size_t width() const { return width_; }
  std::size_t rows() const { return columns_.back().rows.size(); }
  std::uint32_t slot(EntityId entity) const { return columns_.back().rows.slot(entity); }
  const std::uint32_t* slots() const { return columns_.back().rows.slots(); }

  /// Adds to `gradient` what d loss / d L, laid out as values(), means for the raw parameters.
  void backward(std::span<const Real> value_gradient, Parameters<Real>& gradient);

 private:
  struct Column {
    RowSet rows;
    // Weights, padded and transposed: of an edge as the row's entity sees it, in either direction.
    Buffer<Real> alpha_in, alpha_out;
    Buffer<Real> p;                  // six rows
    Buffer<Real> beta_and, beta_or;  // row i: partners of function i
    Buffer<Real> beta_and_t, beta_or_t;
    // One row for each entity.
    Buffer<Real> values, chain, partner_and, partner_or, gradient;
  };
  /// Gradients of the weights, one for each worker: summed in the order of the workers.
  struct Sums {
    Buffer<Real> alpha, p, beta_and, beta_or;
  };

  kernels::Operations<Real> operations(const Column& column) const;
  std::span<const Edge> visible_edges(EntityId entity, std::vector<Edge>& buffer) const;
  void collect_rows(std::span<const EntityId> entities);
  void first_column(unsigned worker);
  void next_column(std::uint32_t j, unsigned worker);
  void merge_backward(std::uint32_t j, unsigned worker);
  void chain_backward(std::uint32_t j, unsigned worker);
  void store_gradients(std::uint32_t j, Parameters<Real>& gradient);

  const Graph& graph_;
  ModelShape shape_;
  Team& team_;
  std::size_t width_;  ///< padded
  const Mask* mask_ = nullptr;
  bool keep_ = false;
  std::vector<Column> columns_;  ///< columns_[j - 1] is the paper's column j
  std::vector<Sums> sums_;
  Buffer<Real> scratch_;
  std::vector<Buffer<Real>> softmaxes_;  ///< plain weights of each tensor, for the way back
};

}  // namespace lerpp
