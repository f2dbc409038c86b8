// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/path_walk.hpp"

namespace lerpp {

/// How many entities each path of a trie reaches, where the graph is small: entities are bits, and
/// what an operator leads to is a set. Far quicker than counting walks, which tells the same and
/// more. Each thread has its own.
class PathReach {
 public:
  /// What one path reaches; a part of the entities on the way may have been followed on.
  struct Finding {
    std::uint32_t path = 0;
    std::size_t size = 0;
    float share = 1;
  };

  /// Whether the graph is small enough for it.
  static bool fits(const OperatorRows& rows);
  /// Where a path has reached more than `most` entities, only some of them are followed on, evenly
  /// spread; 0 follows all.
  PathReach(const OperatorRows& rows, std::size_t most);

  /// The hidden fact is not walked. In the order of the trie.
  std::span<const Finding> walk(const PathTrie& trie, EntityId start, const Fact& hidden);

 private:
  struct Run {
    OperatorId op = 0;
    std::uint32_t set = 0;
  };
  struct Level {
    std::vector<std::uint64_t> sets;  ///< of each child of a node
    std::vector<std::uint32_t> child_of;
  };
  static constexpr std::uint32_t no_child = PathTrie::none;

  std::span<const Run> runs(EntityId entity) const {
    return {runs_.data() + firsts_[entity], runs_.data() + firsts_[entity + 1]};
  }
  /// Hides an edge, or shows it again.
  void flip(EntityId from, OperatorId op, EntityId to);
  /// Sets of so many words, known to the compiler; 0 is as many as they are.
  template <std::size_t Words>
  void expand(const PathTrie::Node& node, std::size_t depth, const std::uint64_t* set, float share);
  template <std::size_t Words>
  void follow(EntityId entity, Level& level) const;
  std::size_t list(const std::uint64_t* set);

  std::size_t words_;  ///< of a set
  std::size_t most_;
  RelationId relations_;
  std::vector<std::uint32_t> firsts_;
  std::vector<Run> runs_;
  std::vector<std::uint64_t> sets_;
  const PathTrie* trie_ = nullptr;
  std::array<Level, RelationPath::most> levels_;
  std::vector<EntityId> listed_;
  std::vector<std::uint64_t> start_;
  std::vector<Finding> findings_;
};

}  // namespace lerpp
