// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>

#include "base/random.hpp"
#include "model/embedding.hpp"

namespace lerpp {

/// All facts of a graph as queries in both directions, in batches whose order depends on seed and
/// epoch alone.
class ShuffledQueries {
 public:
  ShuffledQueries(const Graph& graph, std::size_t batch, std::uint64_t seed)
      : batch_(batch), seed_(seed) {
    queries_.reserve(graph.edges().size());
    for (EntityId start = 0; start < graph.entities(); ++start) {
      for (const Edge& edge : graph.edges(start)) queries_.push_back({edge.op, start, edge.target});
    }
  }

  void start_epoch(std::uint32_t epoch) {
    shuffled_ = queries_;
    Random(seed_, epoch).shuffle(shuffled_);
  }
  std::size_t batches() const { return (queries_.size() + batch_ - 1) / batch_; }
  std::size_t queries_before(std::size_t batch) const {
    return std::min(batch * batch_, queries_.size());
  }
  /// Of the epoch that was started last.
  std::span<const EmbeddingQuery> operator[](std::size_t batch) const {
    const std::size_t first = queries_before(batch);
    return std::span(shuffled_).subspan(first, queries_before(batch + 1) - first);
  }

 private:
  std::size_t batch_;
  std::uint64_t seed_;
  std::vector<EmbeddingQuery> queries_;  ///< in the order of the graph
  std::vector<EmbeddingQuery> shuffled_;
};

}  // namespace lerpp
