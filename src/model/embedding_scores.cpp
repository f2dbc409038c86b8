// SPDX-License-Identifier: Apache-2.0
#include "model/embedding_scores.hpp"

#include <algorithm>

#include <lerp/base/parallel.hpp>

#include "model/kernels.hpp"
#include "model/real.hpp"

namespace lerpp {
namespace {

/// Entities that are worked on at a time: they stay in the cache.
constexpr std::size_t block_rows = 128;
/// Chunks, at most, and entities of a chunk, at least: enough for every core, few enough for the
/// memory of their sums.
constexpr std::size_t most_chunks = 16;
constexpr std::size_t least_chunk = 32;

}  // namespace

template <class Real>
void EmbeddingScores<Real>::forward(const Parameters<Real>& parameters,
                                    std::span<const EmbeddingQuery> queries) {
  const std::size_t width = 2 * std::size_t{parameters.shape().embedding};
  const std::size_t padded = kernels::padded(width);
  const std::size_t entities = parameters.shape().entities;
  const std::span<const Real> table = parameters.entities();
  columns_ = kernels::padded(queries.size());
  queries_.assign(queries.size() * padded, Real{0});
  by_component_.assign(width * columns_, Real{0});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Real* const query = queries_.data() + i * padded;
    embedding_query(table.subspan(queries[i].start * width, width),
                    parameters.of(Part::relation, queries[i].target), query);
    for (std::size_t k = 0; k < width; ++k) by_component_[k * columns_ + i] = query[k];
  }
  scores_.resize(entities * columns_);
  team_.run([&](unsigned worker) {
    const auto [first, last] = slice(entities, worker, team_.size());
    for (std::size_t at = first; at < last; at += block_rows) {
      kernels::matrix<Real>().multiply(std::min(block_rows, last - at), columns_, width,
                                       table.data() + at * width, width, 1, by_component_.data(),
                                       columns_, row(at), columns_, false);
    }
  });
}

template <class Real>
void EmbeddingScores<Real>::backward(const Parameters<Real>& parameters,
                                     std::span<const EmbeddingQuery> queries,
                                     Parameters<Real>& gradient) {
  const std::size_t width = 2 * std::size_t{parameters.shape().embedding};
  const std::size_t padded = kernels::padded(width);
  const std::size_t entities = parameters.shape().entities;
  chunks_.resize(std::clamp<std::size_t>(entities / least_chunk, 1, most_chunks));
  team_.each(chunks_.size(), [&](unsigned /*worker*/, std::size_t number) {
    Chunk& chunk = chunks_[number];
    const std::size_t last = entities * (number + 1) / chunks_.size();
    chunk.query_gradient.assign(queries.size() * padded, Real{0});
    for (std::size_t at = entities * number / chunks_.size(); at < last; at += block_rows) {
      backward_rows(parameters, queries.size(), at, std::min(at + block_rows, last), chunk,
                    gradient);
    }
  });
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Real* const sum = chunks_[0].query_gradient.data() + i * padded;
    for (std::size_t other = 1; other < chunks_.size(); ++other) {
      const Real* part = chunks_[other].query_gradient.data() + i * padded;
      for (std::size_t k = 0; k < width; ++k) sum[k] += part[k];
    }
    const std::size_t start = queries[i].start * width;
    embedding_query_backward<Real>(parameters.entities().subspan(start, width),
                                   parameters.of(Part::relation, queries[i].target), sum,
                                   gradient.entities().subspan(start, width),
                                   gradient.of(Part::relation, queries[i].target));
  }
}

template <class Real>
void EmbeddingScores<Real>::backward_rows(const Parameters<Real>& parameters, std::size_t queries,
                                          std::size_t first, std::size_t last, Chunk& chunk,
                                          Parameters<Real>& gradient) const {
  const std::size_t width = 2 * std::size_t{parameters.shape().embedding};
  const std::size_t padded = kernels::padded(width);
  const std::size_t rows = last - first;
  const auto& matrix = kernels::matrix<Real>();
  chunk.rows_gradient.resize(block_rows * padded);
  matrix.multiply(rows, padded, queries, row(first), columns_, 1, queries_.data(), padded,
                  chunk.rows_gradient.data(), padded, false);
  for (std::size_t i = 0; i < rows; ++i) {
    const Real* from = chunk.rows_gradient.data() + i * padded;
    Real* to = gradient.entities().data() + (first + i) * width;
    for (std::size_t k = 0; k < width; ++k) to[k] += from[k];
  }
  const Real* table = parameters.entities().data() + first * width;
  if (padded != width) {
    chunk.rows.assign(block_rows * padded, Real{0});
    for (std::size_t i = 0; i < rows; ++i)
      std::copy(table + i * width, table + (i + 1) * width, chunk.rows.data() + i * padded);
    table = chunk.rows.data();
  }
  matrix.multiply(queries, padded, rows, row(first), 1, columns_, table, padded,
                  chunk.query_gradient.data(), padded, true);
}

template class EmbeddingScores<LERP_REAL>;

}  // namespace lerpp
