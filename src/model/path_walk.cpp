#include "model/path_walk.hpp"

namespace lerpp {
namespace {

/// A list so much longer than the other is searched instead of read.
constexpr std::size_t lopsided = 8;
/// How far ahead of its use a row is fetched.
constexpr std::size_t ahead = 6;

/// The first place from `first` on whose value is not below; size where there is none.
template <class At>
std::size_t lower_place(std::size_t first, std::size_t size, OperatorId value, const At& at) {
  while (first < size) {
    const std::size_t middle = first + (size - first) / 2;
    if (at(middle) < value) {
      first = middle + 1;
    } else {
      size = middle;
    }
  }
  return first;
}

/// Calls `both(run, child)` for each operator of the row that is a child's.
template <class Both>
void match(OperatorRow row, std::span<const OperatorId> children, const Both& both) {
  const std::size_t runs = row.size();
  if (runs > lopsided * children.size()) {
    std::size_t run = 0;
    for (std::size_t child = 0; child < children.size(); ++child) {
      run = lower_place(run, runs, children[child], [&](std::size_t i) { return row.op(i); });
      if (run < runs && row.op(run) == children[child]) both(run, child);
    }
  } else if (children.size() > lopsided * runs) {
    std::size_t child = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      child = lower_place(child, children.size(), row.op(run),
                          [&](std::size_t i) { return children[i]; });
      if (child < children.size() && row.op(run) == children[child]) both(run, child);
    }
  } else {
    for (std::size_t run = 0, child = 0; run < runs && child < children.size();) {
      const OperatorId left = row.op(run);
      const OperatorId right = children[child];
      if (left == right) both(run, child);
      run += left <= right ? 1 : 0;
      child += right <= left ? 1 : 0;
    }
  }
}

}  // namespace

OperatorRows::OperatorRows(const Graph& graph) : graph_(&graph) {
  starts_.reserve(graph.entities());
  words_.reserve(graph.edges().size() + 4 * std::size_t{graph.entities()});
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const std::span<const Edge> row = graph.edges(entity);
    const std::size_t start = words_.size();
    starts_.push_back(start);
    words_.push_back(0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i].op == row[i - 1].op) continue;
      ++words_[start];
      words_.push_back(static_cast<std::uint32_t>(i));
      words_.push_back(row[i].op);
    }
    words_.push_back(static_cast<std::uint32_t>(row.size()));
    for (const Edge& edge : row) words_.push_back(edge.target);
  }
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

PathWalk::PathWalk(const OperatorRows& rows, std::size_t most)
    : rows_(rows), most_(most), counts_(rows.graph().entities()) {}

void PathWalk::walk(const PathTrie& trie, EntityId start, const Mask* mask) {
  trie_ = &trie;
  mask_ = mask;
  used_ = 0;
  copied_ = 0;
  findings_.clear();
  const Finding begin{PathTrie::none, 1, &start, 0, 1, 1};
  expand(trie.node(0), 0, begin);
}

void PathWalk::expand(const PathTrie::Node& node, std::size_t depth, const Finding& from) {
  Level& level = levels_[depth];
  const std::span<const OperatorId> children = trie_->operators(node);
  level.hits.clear();
  level.heads.assign(children.size(), PathTrie::none);
  const std::span<const EntityId> entities = this->entities(from);
  const std::size_t size = entities.size();
  const std::size_t followed = most_ > 0 ? std::min(size, most_) : size;
  for (std::size_t i = 0; i < followed; ++i) {
    const std::size_t place = followed == size ? i : i * size / followed;
    if (place + ahead < size) rows_.prefetch(entities[place + ahead]);
    const EntityId entity = entities[place];
    const std::uint32_t flow = from.flow > 0 ? from.flow : flows_[from.offset + place];
    const OperatorRow row = rows_[entity];
    const bool touched = mask_ != nullptr && mask_->touches(entity);
    match(row, children, [&](std::size_t run, std::size_t child) {
      const std::span<const EntityId> targets =
          touched ? visible(entity, row, run) : row.targets(run);
      if (targets.empty()) return;
      __builtin_prefetch(targets.data());
      level.hits.push_back(
          {targets.data(), static_cast<std::uint32_t>(targets.size()), flow, level.heads[child]});
      level.heads[child] = static_cast<std::uint32_t>(level.hits.size() - 1);
    });
  }
  const float share = followed == size
                          ? from.share
                          : from.share * static_cast<float>(followed) / static_cast<float>(size);
  for (std::size_t child = 0; child < children.size(); ++child) {
    if (level.heads[child] == PathTrie::none) continue;
    arrive(trie_->node(node.first + static_cast<std::uint32_t>(child)), depth, level.heads[child],
           share);
  }
}

void PathWalk::arrive(const PathTrie::Node& node, std::size_t depth, std::uint32_t head,
                      float share) {
  const Level& level = levels_[depth];
  const Hit& hit = level.hits[head];
  Finding found{node.path, hit.flow, hit.targets, 0, hit.size, share};
  // The targets of one run are distinct.
  if (hit.next != PathTrie::none) merge(level, head, found);
  if (node.path != PathTrie::none) findings_.push_back(found);
  if (node.first < node.last) expand(node, depth + 1, found);
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
  std::uint32_t* const counts = counts_.data();
  std::size_t size = 0;
  for (std::uint32_t at = head; at != PathTrie::none; at = level.hits[at].next) {
    const Hit& hit = level.hits[at];
    const std::uint32_t flow = hit.flow;
    for (const EntityId *target = hit.targets, *end = target + hit.size; target != end; ++target) {
      // Always written, kept where it is new: no branch to guess wrong.
      const EntityId entity = *target;
      const std::uint32_t count = counts[entity];
      entities[size] = entity;
      size += count == 0 ? 1 : 0;
      counts[entity] = count + flow;
    }
  }
  std::uint32_t* const flows = flows_.data() + used_;
  for (std::size_t i = 0; i < size; ++i) {
    flows[i] = counts[entities[i]];
    counts[entities[i]] = 0;
  }
  found.flow = 0;
  found.targets = nullptr;
  found.offset = used_;
  found.size = size;
  used_ += size;
}

std::span<const EntityId> PathWalk::visible(EntityId entity, OperatorRow row, std::size_t run) {
  const std::span<const EntityId> targets = row.targets(run);
  const std::size_t start = rows_.graph().start(entity);
  const std::span<const std::size_t> hidden = mask_->places();
  auto next = std::lower_bound(hidden.begin(), hidden.end(), start + row.first(run));
  if (next == hidden.end() || *next >= start + row.last(run)) return targets;
  if (copied_ == copies_.size()) copies_.emplace_back();
  std::vector<EntityId>& copy = copies_[copied_++];
  copy.clear();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (next != hidden.end() && *next == start + row.first(run) + i) {
      ++next;
    } else {
      copy.push_back(targets[i]);
    }
  }
  return copy;
}

}  // namespace lerpp
