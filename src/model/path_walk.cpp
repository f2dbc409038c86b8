#include "model/path_walk.hpp"

namespace lerpp {
namespace {

/// A list so much longer than the other is searched instead of read.
constexpr std::size_t lopsided = 8;

/// Calls `both(i, j)` where few[i] == many[j]; both lists are rising.
template <class Both>
void search(std::span<const OperatorId> few, std::span<const OperatorId> many, Both&& both) {
  auto from = many.begin();
  for (std::size_t i = 0; i < few.size(); ++i) {
    from = std::lower_bound(from, many.end(), few[i]);
    if (from == many.end()) return;
    if (*from == few[i]) both(i, static_cast<std::size_t>(from - many.begin()));
  }
}

template <class Both>
void match(std::span<const OperatorId> a, std::span<const OperatorId> b, Both&& both) {
  if (a.size() > lopsided * b.size()) {
    search(b, a, [&](std::size_t j, std::size_t i) { both(i, j); });
  } else if (b.size() > lopsided * a.size()) {
    search(a, b, both);
  } else {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      const OperatorId left = a[i];
      const OperatorId right = b[j];
      if (left == right) both(i, j);
      i += left <= right ? 1 : 0;
      j += right <= left ? 1 : 0;
    }
  }
}

}  // namespace

OperatorRuns::OperatorRuns(const Graph& graph) : graph_(&graph) {
  rows_.reserve(graph.entities() + std::size_t{1});
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    rows_.push_back(operators_.size());
    const std::span<const Edge> row = graph.edges(entity);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i].op == row[i - 1].op) continue;
      operators_.push_back(row[i].op);
      firsts_.push_back(graph.start(entity) + i);
    }
  }
  rows_.push_back(operators_.size());
  firsts_.push_back(graph.edges().size());
}

PathTrie::PathTrie(std::span<const RelationPath> paths) {
  fill(0, paths, 0, paths.size(), 0);
}

void PathTrie::fill(std::uint32_t index, std::span<const RelationPath> paths, std::size_t first,
                    std::size_t last, std::size_t depth) {
  if (first < last && paths[first].length() == depth)
    nodes_[index].path = static_cast<std::uint32_t>(first++);
  // Brothers stand side by side, so they all come before their children.
  const auto child = static_cast<std::uint32_t>(nodes_.size());
  std::vector<std::size_t> starts;
  for (std::size_t i = first; i < last; ++i) {
    const OperatorId op = paths[i].operators()[depth];
    if (i > first && op == operators_.back()) continue;
    starts.push_back(i);
    operators_.push_back(op);
    nodes_.emplace_back();
  }
  starts.push_back(last);
  nodes_[index].first = child;
  nodes_[index].last = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t i = 0; i + 1 < starts.size(); ++i)
    fill(child + i, paths, starts[i], starts[i + 1], depth + 1);
}

PathWalk::PathWalk(const OperatorRuns& runs, std::size_t most)
    : runs_(runs), most_(most), counts_(runs.graph().entities()) {}

void PathWalk::walk(const PathTrie& trie, EntityId start, const Mask* mask) {
  trie_ = &trie;
  mask_ = mask;
  used_ = 0;
  copied_ = 0;
  findings_.clear();
  expand(trie.node(0), 0, 1, 1, [&](std::size_t) { return std::pair{start, 1U}; });
}

template <class At>
void PathWalk::expand(const PathTrie::Node& node, std::size_t depth, std::size_t size, float share,
                      const At& at) {
  Level& level = levels_[depth];
  const std::span<const OperatorId> children = trie_->operators(node);
  level.hits.clear();
  level.heads.assign(children.size(), PathTrie::none);
  const std::size_t followed = most_ > 0 ? std::min(size, most_) : size;
  for (std::size_t i = 0; i < followed; ++i) {
    const auto [entity, flow] = at(followed == size ? i : i * size / followed);
    match(runs_.operators(entity), children,
          [&, entity = entity, flow = flow](std::size_t run, std::size_t child) {
            const std::span<const Edge> edges = visible(entity, run);
            if (edges.empty()) return;
            level.hits.push_back(
                {edges.data(), static_cast<std::uint32_t>(edges.size()), flow, level.heads[child]});
            level.heads[child] = static_cast<std::uint32_t>(level.hits.size() - 1);
          });
  }
  if (followed < size) share *= static_cast<float>(followed) / static_cast<float>(size);
  for (std::size_t child = 0; child < children.size(); ++child) {
    if (level.heads[child] == PathTrie::none) continue;
    arrive(trie_->node(node.first + static_cast<std::uint32_t>(child)), depth, level.heads[child],
           share);
  }
}

void PathWalk::arrive(const PathTrie::Node& node, std::size_t depth, std::uint32_t head,
                      float share) {
  const Level& level = levels_[depth];
  const Hit hit = level.hits[head];
  Finding found{node.path, hit.flow, hit.edges, 0, hit.size, share};
  const bool same = hit.next == PathTrie::none;
  if (!same) merge(level, head, found);
  if (node.path != PathTrie::none) findings_.push_back(found);
  if (node.first == node.last) return;
  if (same) {
    expand(node, depth + 1, found.size, share, [&](std::size_t i) {
      return std::pair{found.edges[i].target, found.flow};
    });
  } else {
    expand(node, depth + 1, found.size, share, [&](std::size_t i) {
      return std::pair{entities_[found.offset + i], flows_[found.offset + i]};
    });
  }
}

void PathWalk::merge(const Level& level, std::uint32_t head, Finding& found) {
  std::size_t most = 0;
  for (std::uint32_t at = head; at != PathTrie::none; at = level.hits[at].next)
    most += level.hits[at].size;
  most = std::min(most, counts_.size()) + 1;
  if (entities_.size() < used_ + most) {
    entities_.resize(2 * (used_ + most));
    flows_.resize(entities_.size());
  }
  EntityId* const entities = entities_.data() + used_;
  std::size_t size = 0;
  for (std::uint32_t at = head; at != PathTrie::none; at = level.hits[at].next) {
    const Hit& hit = level.hits[at];
    for (const Edge *edge = hit.edges, *end = edge + hit.size; edge != end; ++edge) {
      // Always written, kept where it is new: no branch to guess wrong.
      std::uint32_t& count = counts_[edge->target];
      entities[size] = edge->target;
      size += count == 0 ? 1 : 0;
      count += hit.flow;
    }
  }
  std::uint32_t* const flows = flows_.data() + used_;
  for (std::size_t i = 0; i < size; ++i) {
    flows[i] = counts_[entities[i]];
    counts_[entities[i]] = 0;
  }
  found.flow = 0;
  found.edges = nullptr;
  found.offset = used_;
  found.size = size;
  used_ += size;
}

std::span<const Edge> PathWalk::visible(EntityId entity, std::size_t run) {
  const std::size_t first = runs_.first(entity, run);
  const std::size_t last = runs_.last(entity, run);
  const std::span<const Edge> edges = runs_.graph().edges().subspan(first, last - first);
  if (mask_ == nullptr || !mask_->touches(entity)) return edges;
  const std::span<const std::size_t> hidden = mask_->places();
  auto next = std::lower_bound(hidden.begin(), hidden.end(), first);
  if (next == hidden.end() || *next >= last) return edges;
  if (copied_ == copies_.size()) copies_.emplace_back();
  std::vector<Edge>& copy = copies_[copied_++];
  copy.clear();
  for (std::size_t place = first; place < last; ++place) {
    if (next != hidden.end() && *next == place) {
      ++next;
    } else {
      copy.push_back(edges[place - first]);
    }
  }
  return copy;
}

}  // namespace lerpp
