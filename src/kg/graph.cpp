// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/graph.hpp>

#include "base/pieces.hpp"

namespace lerpp {
namespace {

/// Edges of a block of rows, about: it is sorted in the second-level cache.
constexpr std::size_t block_edges = std::size_t{1} << 15U;

/// The order of edges as one number: one comparison instead of two branches.
std::uint64_t key(const Edge& edge) {
  return std::uint64_t{edge.op} << 32U | edge.target;
}

/// Builds the rows of a graph. Edges are dealt out to blocks of rows, since placing them at once
/// would miss the caches twice an edge; a dealt edge carries its row, counted from the first of its
/// block, above its operator.
class RowBuilder {
 public:
  RowBuilder(EntityId entities, RelationId relations,
             std::initializer_list<std::span<const Fact>> lists, unsigned threads,
             const Observer& observer)
      : entities_(entities), relations_(relations), lists_(lists), observer_(observer) {
    std::size_t edges = 0;
    for (const std::span<const Fact> list : lists) edges += 2 * list.size();
    const std::size_t blocks = edges / block_edges + 1;
    operator_bits_ = static_cast<unsigned>(std::bit_width(std::uint64_t{2} * relations));
    row_bits_ = static_cast<unsigned>(std::bit_width(entities / blocks + std::size_t{1}));
    row_bits_ = std::min(row_bits_, operator_bits_ > 32 ? 0 : 32 - operator_bits_);
    blocks_ = (entities >> row_bits_) + std::size_t{1};
    workers_ = blocks == 1 ? 1 : worker_count(threads);
  }

  /// Fills the rows' starts and the edges; false where it was stopped.
  bool build(LargeArray<std::size_t>& starts, LargeArray<Edge>& edges) {
    if (!count()) return false;
    edges.resize(firsts_.back());
    if (!deal(edges.data())) return false;
    if (!sort(starts.data(), edges.data())) return false;
    pack(starts, edges);
    return true;
  }

 private:
  /// Calls `action(row, edge)` for both directions of a worker's share of the facts.
  template <class Action>
  bool for_each_edge(unsigned worker, Action&& action) const {
    for (const std::span<const Fact> list : lists_) {
      const auto [first, last] = slice(list.size(), worker, workers_);
      const bool whole = in_pieces(first, last, observer_, [&](std::size_t from, std::size_t to) {
        for (const Fact& fact : list.subspan(from, to - from)) {
          assert(fact.subject < entities_ && fact.object < entities_ && fact.relation < relations_);
          action(fact.subject, Edge{fact.relation, fact.object});
          action(fact.object, Edge{relations_ + fact.relation, fact.subject});
        }
      });
      if (!whole) return false;
    }
    return true;
  }

  /// How many edges each worker has for each block, and so where it puts them.
  bool count() {
    ends_.assign(workers_, std::vector<std::size_t>(blocks_));
    run_workers(workers_, [&](unsigned worker) {
      for_each_edge(worker, [&, ends = ends_[worker].data()](EntityId row, const Edge&) {
        ++ends[row >> row_bits_];
      });
    });
    if (observer_.stopped()) return false;
    firsts_.resize(blocks_ + 1);
    std::size_t total = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
      firsts_[block] = total;
      for (auto& ends : ends_) total += std::exchange(ends[block], total);
    }
    firsts_[blocks_] = total;
    return true;
  }

  bool deal(Edge* edges) {
    const EntityId within = (EntityId{1} << row_bits_) - 1;
    run_workers(workers_, [&](unsigned worker) {
      for_each_edge(worker, [&, ends = ends_[worker].data()](EntityId row, const Edge& edge) {
        const std::uint64_t tag = std::uint64_t{row & within} << operator_bits_;
        edges[ends[row >> row_bits_]++] = {static_cast<OperatorId>(tag | edge.op), edge.target};
      });
    });
    return !observer_.stopped();
  }

  /// Sorts each block, drops repetitions, and leaves the length of each row at its start.
  bool sort(std::size_t* starts, Edge* edges) {
    kept_.resize(blocks_);
    std::vector<std::vector<Edge>> spaces(workers_);
    std::vector<std::vector<std::size_t>> ends(workers_);
    run_blocks(blocks_, 1, workers_, [&](unsigned worker, std::size_t block, std::size_t) {
      if (observer_.stopped()) return;
      const std::span<Edge> all(edges + firsts_[block], edges + firsts_[block + 1]);
      kept_[block] = sort_block(block, all, starts, spaces[worker], ends[worker]);
    });
    return !observer_.stopped();
  }

  std::size_t sort_block(std::size_t block, std::span<Edge> edges, std::size_t* starts,
                         std::vector<Edge>& space, std::vector<std::size_t>& ends) const {
    const std::size_t first = block << row_bits_;
    const std::size_t rows =
        std::min(std::size_t{1} << row_bits_, static_cast<std::size_t>(entities_) - first);
    ends.assign(rows + 1, 0);
    for (const Edge& edge : edges) ++ends[(std::uint64_t{edge.op} >> operator_bits_) + 1];
    for (std::size_t row = 0; row < rows; ++row) ends[row + 1] += ends[row];
    space.resize(edges.size());
    const auto own = static_cast<OperatorId>((std::uint64_t{1} << operator_bits_) - 1);
    for (const Edge& edge : edges) {
      space[ends[std::uint64_t{edge.op} >> operator_bits_]++] = {edge.op & own, edge.target};
    }
    Edge* to = edges.data();
    std::size_t begin = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto from = space.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto end = space.begin() + static_cast<std::ptrdiff_t>(ends[row]);
      std::sort(from, end, [](const Edge& a, const Edge& b) { return key(a) < key(b); });
      Edge* const last = std::unique_copy(from, end, to);
      starts[first + row] = static_cast<std::size_t>(last - to);
      to = last;
      begin = ends[row];
    }
    return static_cast<std::size_t>(to - edges.data());
  }

  /// Turns lengths into starts, and closes the gaps that repeated facts left.
  void pack(LargeArray<std::size_t>& starts, LargeArray<Edge>& edges) const {
    std::size_t packed = 0;
    for (std::size_t row = 0; row < entities_; ++row) {
      packed += std::exchange(starts[row], packed);
    }
    starts[entities_] = packed;
    if (packed == edges.size()) return;
    std::size_t end = 0;
    for (std::size_t block = 0; block < blocks_; ++block) {
      std::memmove(edges.data() + end, edges.data() + firsts_[block], kept_[block] * sizeof(Edge));
      end += kept_[block];
    }
    edges.resize(packed);
    // A copy is worth its while only where much is given back.
    if (packed < edges.capacity() - edges.capacity() / 8) edges.shrink_to_fit();
  }

  EntityId entities_;
  RelationId relations_;
  std::initializer_list<std::span<const Fact>> lists_;
  const Observer& observer_;
  unsigned workers_ = 1;
  unsigned operator_bits_ = 0;
  unsigned row_bits_ = 0;  ///< of a row's number within its block
  std::size_t blocks_ = 1;
  std::vector<std::size_t> firsts_;             ///< of each block in the edges, and the end
  std::vector<std::vector<std::size_t>> ends_;  ///< by worker and block, where the next edge goes
  std::vector<std::size_t> kept_;               ///< edges of each block without repetitions
};

}  // namespace

Graph::Graph(EntityId entities, RelationId relations,
             std::initializer_list<std::span<const Fact>> lists, unsigned threads,
             const Observer& observer)
    : entities_(entities), relations_(relations) {
  starts_.resize(entities + std::size_t{1});
  if (RowBuilder(entities, relations, lists, threads, observer).build(starts_, edges_)) return;
  std::fill(starts_.begin(), starts_.end(), std::size_t{0});
  edges_ = {};
}

std::span<const Edge> Graph::edges(EntityId entity, OperatorId op) const {
  const std::span<const Edge> row = edges(entity);
  const auto first = std::lower_bound(row.begin(), row.end(), Edge{op, 0});
  auto last = first;
  if (row.end() - first > 32) {
    last = std::lower_bound(first, row.end(), Edge{op + 1, 0});
  } else {
    while (last != row.end() && last->op == op) ++last;
  }
  return {first, last};
}

std::size_t Graph::find(EntityId from, OperatorId op, EntityId to) const {
  const std::span<const Edge> row = edges(from);
  const auto place = std::lower_bound(row.begin(), row.end(), Edge{op, to});
  if (place == row.end() || *place != Edge{op, to}) return edges_.size();
  return starts_[from] + static_cast<std::size_t>(place - row.begin());
}

bool Graph::contains(EntityId from, OperatorId op, EntityId to) const {
  return find(from, op, to) < edges_.size();
}

void Mask::hide(std::span<const Fact> facts) {
  for (const EntityId row : rows_) touched_[row / 64] = 0;
  rows_.clear();
  places_.clear();
  const RelationId relations = graph_->relations();
  const auto add = [&](EntityId from, OperatorId op, EntityId to) {
    const std::size_t place = graph_->find(from, op, to);
    if (place == graph_->edges().size()) return;
    places_.push_back(place);
    rows_.push_back(from);
    touched_[from / 64] |= std::uint64_t{1} << (from % 64);
  };
  for (const Fact& fact : facts) {
    add(fact.subject, fact.relation, fact.object);
    add(fact.object, relations + fact.relation, fact.subject);
  }
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

const std::size_t* Mask::hidden_from(std::size_t place) const {
  return std::lower_bound(places_.data(), places_.data() + places_.size(), place);
}

bool Mask::hides(std::size_t place) const {
  return std::binary_search(places_.begin(), places_.end(), place);
}

}  // namespace lerpp
