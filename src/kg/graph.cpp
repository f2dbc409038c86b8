#include <algorithm>
#include <cassert>

#include <lerp/base/parallel.hpp>
#include <lerp/kg/graph.hpp>

namespace lerpp {
namespace {

/// The order of edges as one number: one comparison instead of two branches.
std::uint64_t key(const Edge& edge) {
  return std::uint64_t{edge.op} << 32U | edge.target;
}

}  // namespace

Graph::Graph(EntityId entities, RelationId relations,
             std::initializer_list<std::span<const Fact>> lists, unsigned threads)
    : entities_(entities), relations_(relations), starts_(entities + std::size_t{1}) {
  // Count, place, sort and pack, each worker on its own range of rows: nothing is shared but the
  // facts, which every worker streams.
  const unsigned workers = worker_count(threads);
  const auto range = [&](unsigned worker) { return slice(entities_, worker, workers); };
  const auto for_each_edge = [&](unsigned worker, auto&& action) {
    const auto [first, last] = range(worker);
    for (const std::span<const Fact> list : lists) {
      for (const Fact& fact : list) {
        assert(fact.subject < entities_ && fact.object < entities_ && fact.relation < relations_);
        if (fact.subject >= first && fact.subject < last) {
          action(fact.subject, Edge{fact.relation, fact.object});
        }
        if (fact.object >= first && fact.object < last) {
          action(fact.object, Edge{relations_ + fact.relation, fact.subject});
        }
      }
    }
  };

  run_workers(workers, [&](unsigned worker) {
    for_each_edge(worker, [&](EntityId row, const Edge&) { ++starts_[row + 1]; });
  });
  for (EntityId row = 0; row < entities_; ++row) starts_[row + 1] += starts_[row];
  edges_.resize(starts_.back());

  std::vector<std::size_t> ends(starts_.begin(), starts_.end() - 1);
  run_workers(workers, [&](unsigned worker) {
    for_each_edge(worker, [&](EntityId row, const Edge& edge) { edges_[ends[row]++] = edge; });
    const auto [first, last] = range(worker);
    for (EntityId row = static_cast<EntityId>(first); row < last; ++row) {
      const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(starts_[row]);
      const auto end = edges_.begin() + static_cast<std::ptrdiff_t>(ends[row]);
      std::sort(begin, end,
                [](const Edge& left, const Edge& right) { return key(left) < key(right); });
      ends[row] = static_cast<std::size_t>(std::unique(begin, end) - edges_.begin());
    }
  });

  // Close the gaps that repeated facts left.
  std::size_t packed = 0;
  for (EntityId row = 0; row < entities_; ++row) {
    const std::size_t first = starts_[row];
    starts_[row] = packed;
    if (packed != first) {
      std::copy(edges_.begin() + static_cast<std::ptrdiff_t>(first),
                edges_.begin() + static_cast<std::ptrdiff_t>(ends[row]),
                edges_.begin() + static_cast<std::ptrdiff_t>(packed));
    }
    packed += ends[row] - first;
  }
  starts_[entities_] = packed;
  if (packed < edges_.size()) {
    edges_.resize(packed);
    edges_.shrink_to_fit();
  }
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

bool Mask::hides(std::size_t place) const {
  return std::binary_search(places_.begin(), places_.end(), place);
}

}  // namespace lerpp
