// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/model/paths.hpp>

namespace lerpp {

/// What leads on from an entity: its operators, rising, each with a run of targets. All of it lies
/// side by side in words of 32 bits: most rows are a cache line or two.
class OperatorRow {
 public:
  explicit OperatorRow(const std::uint32_t* words) : words_(words) {}

  std::size_t size() const { return words_[0]; }
  OperatorId op(std::size_t run) const { return words_[2 * run + 2]; }
  /// Where a run lies, counted from the entity's first edge.
  std::size_t first(std::size_t run) const { return words_[2 * run + 1]; }
  std::size_t last(std::size_t run) const { return words_[2 * run + 3]; }
  std::span<const EntityId> targets(std::size_t run) const {
    const EntityId* all = words_ + 2 * size() + 2;
    return {all + first(run), all + last(run)};
  }

 private:
  const std::uint32_t* words_;
};

/// The graph as paths walk it.
class OperatorRows {
 public:
  /// Without rows where the observer asks to stop: the caller asks too.
  explicit OperatorRows(const Graph& graph, unsigned threads = 0, const Observer& observer = {});

  const Graph& graph() const { return *graph_; }
  OperatorRow operator[](EntityId entity) const {
    return OperatorRow(words_.data() + starts_[entity]);
  }
  /// Has the row in the cache when it is asked for.
  void prefetch(EntityId entity) const { __builtin_prefetch(words_.data() + starts_[entity]); }

 private:
  const Graph* graph_;
  LargeArray<std::size_t> starts_;
  LargeArray<std::uint32_t> words_;
};

/// Paths with what they begin with in common told once.
class PathTrie {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    std::uint32_t path = none;  ///< the path that ends here
    std::uint32_t first = 0;    ///< the children
    std::uint32_t last = 0;
  };

  PathTrie() = default;
  /// The paths must be sorted.
  explicit PathTrie(std::span<const RelationPath> paths);

  const Node& node(std::uint32_t index) const { return nodes_[index]; }
  /// The operators that lead to the children of a node, rising.
  std::span<const OperatorId> operators(const Node& node) const {
    return {operators_.data() + node.first, operators_.data() + node.last};
  }

 private:
  void fill(std::uint32_t index, std::span<const RelationPath> paths, std::size_t first,
            std::size_t last, std::size_t depth);

  std::vector<Node> nodes_ = {{}};  ///< the root first
  std::vector<OperatorId> operators_ = {0};
};

/// Follows all paths of a trie at once from an entity, and counts the walks to every entity that
/// they reach. A walk of three hops is told by its middle edge, so 32 bits hold every count.
class PathWalk {
 public:
  /// What one path reaches.
  struct Finding {
    std::uint32_t path = 0;
    std::uint32_t flow = 0;             ///< the same everywhere; 0 where each entity has its own
    const EntityId* targets = nullptr;  ///< where it is the same
    std::size_t offset = 0;             ///< where it is not
    std::size_t size = 0;
    float share = 1;  ///< of the entities on the way that were followed on
  };

  /// What bounds a walk at hubs; 0 bounds nothing.
  struct Limits {
    std::size_t followed = 0;  ///< entities that a path is followed on from, evenly spread
    std::size_t targets = 0;   ///< of all of them together, by one operator, evenly spread
  };
  /// Those of a model's paths: none but on a large graph.
  static Limits limits_for(const Graph& graph);

  PathWalk(const OperatorRows& rows, const Limits& limits);
  explicit PathWalk(const OperatorRows& rows, std::size_t followed = 0)
      : PathWalk(rows, Limits{followed, 0}) {}

  /// Hidden facts are not walked; there may be no mask.
  void walk(const PathTrie& trie, EntityId start, const Mask* mask);

  /// Of the last walk: at most one for each path, in the order of the trie.
  std::span<const Finding> findings() const { return findings_; }
  std::span<const EntityId> entities(const Finding& found) const {
    return {found.flow > 0 ? found.targets : entities_.data() + found.offset, found.size};
  }
  /// Of each entity, where they differ.
  std::span<const std::uint32_t> flows(const Finding& found) const {
    return {flows_.data() + found.offset, found.size};
  }

 private:
  /// What one entity leads to, by the operator of a child of a node.
  struct Hit {
    const EntityId* targets = nullptr;
    std::uint32_t size = 0;
    std::uint32_t flow = 0;
    std::uint32_t next = 0;  ///< the next hit of the same child
  };
  /// All hits of a child.
  struct Hits {
    std::uint32_t first = PathTrie::none;
    std::size_t targets = 0;
  };
  struct Level {
    std::vector<Hit> hits;
    std::vector<Hits> children;
  };

  void expand(const PathTrie::Node& node, std::size_t depth, const Finding& from);
  void arrive(const PathTrie::Node& node, std::size_t depth, Hits all, float share);
  void merge(const Level& level, Hits all, Finding& found);
  std::span<const EntityId> visible(EntityId entity, OperatorRow row, std::size_t run);

  const OperatorRows& rows_;
  Limits limits_;
  const PathTrie* trie_ = nullptr;
  const Mask* mask_ = nullptr;
  std::array<Level, RelationPath::most> levels_;
  std::vector<std::uint32_t> counts_;  ///< of each entity; 0 between merges
  std::vector<EntityId> entities_;     ///< room for more than is used
  std::vector<std::uint32_t> flows_;
  std::size_t used_ = 0;
  std::deque<std::vector<EntityId>> copies_;  ///< runs without what is hidden
  std::size_t copied_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace lerpp
