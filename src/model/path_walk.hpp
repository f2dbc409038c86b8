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

/// Where each operator's edges lie in the row of an entity: one look instead of a search.
class OperatorRuns {
 public:
  explicit OperatorRuns(const Graph& graph);

  const Graph& graph() const { return *graph_; }
  /// The operators that lead on from an entity, rising.
  std::span<const OperatorId> operators(EntityId entity) const {
    return {operators_.data() + rows_[entity], operators_.data() + rows_[entity + 1]};
  }
  /// Where the edges of one of them start in the graph's; they end where the next one's start.
  std::size_t first(EntityId entity, std::size_t run) const { return firsts_[rows_[entity] + run]; }
  std::size_t last(EntityId entity, std::size_t run) const {
    return firsts_[rows_[entity] + run + 1];
  }

 private:
  const Graph* graph_;
  std::vector<std::size_t> rows_;
  std::vector<OperatorId> operators_;
  std::vector<std::size_t> firsts_;
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
  /// What one path reaches: with the same flow everywhere (then `edges` lead there), or with a flow
  /// for each entity (then `flow` is 0).
  struct Finding {
    std::uint32_t path = 0;
    std::uint32_t flow = 0;
    const Edge* edges = nullptr;
    std::size_t offset = 0;
    std::size_t size = 0;
    float share = 1;  ///< of the entities on the way that were followed on
  };

  /// Where a path has reached more than `most` entities, only some of them are followed on, evenly
  /// spread; 0 follows all.
  explicit PathWalk(const OperatorRuns& runs, std::size_t most = 0);

  /// Hidden facts are not walked; there may be no mask.
  void walk(const PathTrie& trie, EntityId start, const Mask* mask);

  /// Of the last walk: at most one for each path, in the order of the trie.
  std::span<const Finding> findings() const { return findings_; }
  std::span<const Edge> edges(const Finding& found) const { return {found.edges, found.size}; }
  std::span<const EntityId> entities(const Finding& found) const {
    return {entities_.data() + found.offset, found.size};
  }
  std::span<const std::uint32_t> flows(const Finding& found) const {
    return {flows_.data() + found.offset, found.size};
  }

 private:
  /// Edges by which a child of the trie is reached from one entity.
  struct Hit {
    const Edge* edges = nullptr;
    std::uint32_t size = 0;
    std::uint32_t flow = 0;
    std::uint32_t next = 0;  ///< the next hit of the same child
  };
  struct Level {
    std::vector<Hit> hits;
    std::vector<std::uint32_t> heads;  ///< the first hit of each child
  };

  template <class At>
  void expand(const PathTrie::Node& node, std::size_t depth, std::size_t size, float share,
              const At& at);
  void arrive(const PathTrie::Node& node, std::size_t depth, std::uint32_t head, float share);
  void merge(const Level& level, std::uint32_t head, Finding& found);
  std::span<const Edge> visible(EntityId entity, std::size_t run);

  const OperatorRuns& runs_;
  std::size_t most_;
  const PathTrie* trie_ = nullptr;
  const Mask* mask_ = nullptr;
  std::array<Level, RelationPath::most> levels_;
  std::vector<std::uint32_t> counts_;  ///< of each entity; 0 between merges
  std::vector<EntityId> entities_;     ///< room for more than is used
  std::vector<std::uint32_t> flows_;
  std::size_t used_ = 0;
  std::deque<std::vector<Edge>> copies_;  ///< runs without their hidden edges
  std::size_t copied_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace lerpp
