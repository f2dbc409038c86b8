// SPDX-License-Identifier: Apache-2.0
#include "model/path_walk.hpp"

#include <numeric>

#include <lerp/base/parallel.hpp>

namespace lerpp {
namespace {

/// A list so much longer than the other is searched instead of read.
constexpr std::size_t lopsided = 8;
/// Edges of a graph from which on a model's paths are bounded at hubs.
constexpr std::size_t unbounded_walks = 4'000'000;
/// How far ahead of its use a row is fetched.
constexpr std::size_t ahead = 6;

/// Rows that one thread writes at a time.
constexpr std::size_t rows_together = std::size_t{1} << 14U;

bool begins_run(std::span<const Edge> edges, std::size_t i) {
  return i == 0 || edges[i].op != edges[i - 1].op;
}

/// Of the row that these edges make.
std::size_t row_words(std::span<const Edge> edges) {
  std::size_t runs = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) runs += begins_run(edges, i) ? 1 : 0;
  return 2 + 2 * runs + edges.size();
}

void write_row(std::span<const Edge> edges, std::uint32_t* words) {
  std::uint32_t* const size = words++;
  *size = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!begins_run(edges, i)) continue;
    ++*size;
    *words++ = static_cast<std::uint32_t>(i);
    *words++ = edges[i].op;
  }
  *words++ = static_cast<std::uint32_t>(edges.size());
  for (const Edge& edge : edges) *words++ = edge.target;
}

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

OperatorRows::OperatorRows(const Graph& graph, unsigned threads, const Observer& observer)
    : graph_(&graph) {
  // Calls `work(first, last)` for blocks of the entities, on all cores.
  const auto each_block = [&](const auto& work) {
    const unsigned workers = graph.entities() < rows_together ? 1 : worker_count(threads);
    run_blocks(graph.entities(), rows_together, workers,
               [&](unsigned, std::size_t first, std::size_t last) {
                 if (!observer.stopped())
                   work(static_cast<EntityId>(first), static_cast<EntityId>(last));
               });
  };
  starts_.resize(graph.entities() + std::size_t{1});
  starts_[0] = 0;
  each_block([&](EntityId first, EntityId last) {
    for (EntityId entity = first; entity < last; ++entity)
      starts_[entity + std::size_t{1}] = row_words(graph.edges(entity));
  });
  if (observer.stopped()) return;
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  words_.resize(starts_.back());
  each_block([&](EntityId first, EntityId last) {
    for (EntityId entity = first; entity < last; ++entity)
      write_row(graph.edges(entity), words_.data() + starts_[entity]);
  });
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

PathWalk::Limits PathWalk::limits_for(const Graph& graph) {
  if (graph.edges().size() <= unbounded_walks) return {};
  return {1'000, 32'768};
}

PathWalk::PathWalk(const OperatorRows& rows, const Limits& limits)
    : rows_(rows), limits_(limits), counts_(rows.graph().entities()) {}

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
  level.children.assign(children.size(), {});
  const std::span<const EntityId> entities = this->entities(from);
  const std::size_t size = entities.size();
  const std::size_t followed = limits_.followed > 0 ? std::min(size, limits_.followed) : size;
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
      Hits& all = level.children[child];
      level.hits.push_back(
          {targets.data(), static_cast<std::uint32_t>(targets.size()), flow, all.first});
      all.first = static_cast<std::uint32_t>(level.hits.size() - 1);
      all.targets += targets.size();
    });
  }
  const float share = followed == size
                          ? from.share
                          : from.share * static_cast<float>(followed) / static_cast<float>(size);
  for (std::size_t child = 0; child < children.size(); ++child) {
    const Hits all = level.children[child];
    if (all.targets > 0)
      arrive(trie_->node(node.first + static_cast<std::uint32_t>(child)), depth, all, share);
  }
}

void PathWalk::arrive(const PathTrie::Node& node, std::size_t depth, Hits all, float share) {
  const Level& level = levels_[depth];
  const Hit& hit = level.hits[all.first];
  Finding found{node.path, hit.flow, hit.targets, 0, hit.size, share};
  // The targets of one run are distinct.
  if (hit.next != PathTrie::none) merge(level, all, found);
  if (node.path != PathTrie::none) findings_.push_back(found);
  if (node.first < node.last) expand(node, depth + 1, found);
}

void PathWalk::merge(const Level& level, Hits all, Finding& found) {
  const bool some = limits_.targets > 0 && all.targets > limits_.targets;
  if (some) found.share *= static_cast<float>(limits_.targets) / static_cast<float>(all.targets);
  // Of every hit at least one is seen.
  const std::size_t seen_in_all = some ? limits_.targets + level.hits.size() : all.targets;
  const std::size_t most = std::min({seen_in_all, all.targets, counts_.size()}) + 1;
  if (entities_.size() < used_ + most) {
    entities_.resize(2 * (used_ + most));
    flows_.resize(entities_.size());
  }
  EntityId* const entities = entities_.data() + used_;
  std::uint32_t* const counts = counts_.data();
  std::size_t size = 0;
  for (std::uint32_t at = all.first; at != PathTrie::none; at = level.hits[at].next) {
    const Hit& hit = level.hits[at];
    const std::uint32_t flow = hit.flow;
    // Always written, kept where it is new: no branch to guess wrong.
    const auto see = [&](EntityId entity) {
      const std::uint32_t count = counts[entity];
      entities[size] = entity;
      size += count == 0 ? 1 : 0;
      counts[entity] = count + flow;
    };
    if (some) {
      const std::size_t seen = std::max<std::size_t>(1, hit.size * limits_.targets / all.targets);
      for (std::size_t i = 0; i < seen; ++i) see(hit.targets[i * hit.size / seen]);
    } else {
      for (const EntityId *target = hit.targets, *end = target + hit.size; target != end; ++target)
        see(*target);
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
