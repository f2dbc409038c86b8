// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <lerp/base/team.hpp>
#include <lerp/model/parameters.hpp>

#include "model/buffer.hpp"
#include "model/embedding.hpp"

namespace lerpp {

/// The scores of all entities for several queries at once: the table of the entities is read once
/// for all of them, as a matrix product.
template <class Real>
class EmbeddingScores {
 public:
  explicit EmbeddingScores(Team& team) : team_(team) {}

  void forward(const Parameters<Real>& parameters, std::span<const EmbeddingQuery> queries);
  /// Takes d loss / d score in the place of the scores; adds the gradient of all that forward()
  /// read.
  void backward(const Parameters<Real>& parameters, std::span<const EmbeddingQuery> queries,
                Parameters<Real>& gradient);

  /// Scores lie entity by entity: query i has column i of the row of an entity. Columns beyond the
  /// queries are zero after forward(), and must be before backward().
  Real* row(std::size_t entity) { return scores_.data() + entity * columns_; }
  const Real* row(std::size_t entity) const { return scores_.data() + entity * columns_; }
  std::size_t columns() const { return columns_; }

 private:
  /// Entities whose part in the gradient of the queries is added up apart. How many there are
  /// depends on the entities alone, so that threads change nothing.
  struct Chunk {
    Buffer<Real> rows;            ///< some entities, padded
    Buffer<Real> rows_gradient;   ///< of some entities, padded
    Buffer<Real> query_gradient;  ///< of all queries, from this chunk's entities
  };
  void backward_rows(const Parameters<Real>& parameters, std::size_t queries, std::size_t first,
                     std::size_t last, Chunk& chunk, Parameters<Real>& gradient) const;

  Team& team_;
  std::size_t columns_ = 0;    ///< queries, padded
  Buffer<Real> scores_;        ///< entities x columns
  Buffer<Real> queries_;       ///< queries x padded(2 rank)
  Buffer<Real> by_component_;  ///< the same, transposed: 2 rank x columns
  std::vector<Chunk> chunks_;
};

}  // namespace lerpp
