// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>

#include "model/function_weights.hpp"
#include "model/row_set.hpp"

namespace lerpp {

/// The logical functions L_1..L_m of entities: column after column, forward and backward.
///
/// A column needs the one before it at the same entities and at their neighbours, so only those
/// rows are computed: cost and memory follow the edges that a batch touches, not the size of the
/// graph. The rows of a column fall into blocks that can be computed at the same time. What is
/// summed over rows is summed by chunks, whose number depends on the rows alone: results are the
/// same whoever computes them.
///
/// Column 0 is true everywhere. Where entities have types (shape.types), it is a mixture of "has
/// type t" and "any" instead, and column 1 is a column like any other.
template <class Real>
class Functions {
 public:
  /// `types` has the type of every entity where there are any; shape.types stands for an unknown
  /// one. Graph and types must outlive this.
  Functions(const Graph& graph, const ModelShape& shape, std::span<const std::uint32_t> types = {});

  /// L is to be computed at these entities. Hidden edges do not count. With `keep`, all that the
  /// way back needs is kept. The weights must stay until it is over.
  void begin(const FunctionWeights<Real>& weights, std::span<const EntityId> entities,
             const Mask* mask, bool keep);
  std::uint32_t columns() const { return shape_.depth; }
  /// Finds where the columns before the last are needed, from the last but one to the first: all
  /// blocks of a column, then collect(), which makes room.
  std::size_t reach_blocks(std::uint32_t j) const;
  void reach(std::uint32_t j, std::size_t block);
  void collect(std::uint32_t j);
  std::size_t blocks(std::uint32_t j) const;
  /// Column j, when the one before it is done; `scratch` is the caller's own.
  void forward(std::uint32_t j, std::size_t block, Buffer<Real>& scratch);
  /// All of that, for all columns; some rows are missing where the observer asks to stop.
  void forward(Team& team, const Observer& observer = {});
  void forward(Buffer<Real>& scratch);

  /// A row of padded width for each of the entities, in their order.
  const Real* values() const { return columns_.back().values.data(); }
  /// Column j: v_{j,i} of the entity, which must have been computed.
  const Real* values(std::uint32_t column, EntityId entity) const;
  std::size_t width() const { return width_; }
  std::size_t rows() const { return columns_.back().rows.size(); }
  std::uint32_t slot(EntityId entity) const { return columns_.back().rows.slot(entity); }
  /// The values themselves, for who keeps them; begin() makes room anew.
  Buffer<Real> take_values() { return std::move(columns_.back().values); }

  /// d loss / d L, laid out as values(): to be filled before the way back, which goes through the
  /// columns from the last to the first. All chunks of one call before the next.
  Real* gradient() { return columns_.back().gradient.data(); }
  std::size_t chunks(std::uint32_t j) const;
  void merge_backward(std::uint32_t j, std::size_t chunk);  ///< unless column j only chains
  /// Goes over the rows of the column before j, where there is one.
  void chain_backward(std::uint32_t j, std::size_t chunk);
  std::size_t chain_chunks(std::uint32_t j) const {
    return chunks(shape_.only_chains(j) ? 1 : j - 1);
  }
  /// All of that.
  void backward(Team& team);
  void backward();
  /// Adds what all chunks have found to the gradient of the functions' raw parameters.
  void store(const Parameters<Real>& layout, std::span<Real> gradient);

 private:
  /// Gradients of the weights, one for each chunk.
  struct Sums {
    Buffer<Real> alpha, p, beta_and, beta_or;
  };
  struct Column {
    RowSet rows;
    // One row for each entity.
    Buffer<Real> values, chain, partner_and, partner_or, gradient;
    std::vector<Sums> sums;
  };

  std::span<const Edge> visible_edges(EntityId entity, std::vector<Edge>& buffer) const;
  void make_room(std::uint32_t j);
  void start_column();
  void first_column(std::size_t first, std::size_t last);
  void next_column(std::uint32_t j, std::size_t first, std::size_t last, Buffer<Real>& scratch);
  void first_chain_backward(std::size_t first, std::size_t last, Sums& sums);
  void store(std::uint32_t j, const Parameters<Real>& layout, std::span<Real> gradient);
  void store_start(const Parameters<Real>& layout, std::span<Real> gradient);
  /// Whether the first column that is computed for some rows only is column 0 or 1.
  std::uint32_t first_column_with_rows() const { return shape_.types > 0 ? 0 : 1; }

  const Graph& graph_;
  ModelShape shape_;
  std::span<const std::uint32_t> types_;
  std::size_t width_;        ///< padded
  std::size_t most_chunks_;  ///< of a column
  const FunctionWeights<Real>* weights_ = nullptr;
  const Mask* mask_ = nullptr;
  bool keep_ = false;
  std::vector<Column> columns_;  ///< columns_[j] is the paper's column j; without types 0 is empty
  Buffer<Real> scratch_;
};

/// L of every entity of a graph, nothing hidden: a padded row each. Some are missing where the
/// observer asks to stop.
template <class Real>
Buffer<Real> all_functions(const Graph& graph, const Parameters<Real>& parameters, Team& team,
                           const Observer& observer = {});

}  // namespace lerpp
