// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <lerp/model/paths.hpp>

#include "model/path_meeting.hpp"
#include "model/path_reach.hpp"
#include "model/path_support.hpp"
#include "model/path_walk.hpp"

namespace lerpp {

/// What a path is worth for a target.
struct PathWorth {
  std::uint64_t code = 0;
  std::uint32_t support = 0;  ///< queries whose answer it leads to
  double reached = 0;         ///< entities that it leads to, summed over the walked queries
  double score = 0;           ///< support * sqrt(precision)
};

/// Facts of each relation.
class FactsByRelation {
 public:
  /// Incomplete where the observer asks to stop.
  FactsByRelation(const Graph& graph, unsigned threads, const Observer& observer);
  std::span<const Fact> of(RelationId relation) const {
    return {facts_.data() + firsts_[relation], facts_.data() + firsts_[relation + 1]};
  }

 private:
  std::vector<Fact> facts_;
  std::vector<std::size_t> firsts_;
};

/// What the paths of all targets are mined from, found once for all threads.
struct MiningGround {
  MiningGround(const OperatorRows& operator_rows, const PathOptions& path_options,
               const Observer& who_watches);

  const OperatorRows& rows;
  const Graph& graph;
  PathOptions options;
  const Observer& observer;
  FactsByRelation facts;
  PathCodes codes;
  std::vector<std::uint64_t> hops;  ///< of each entity: what a walk of two hops passes
  bool small;                       ///< reach is told by sets
};

/// What one thread needs; kept from target to target.
struct MiningSpace {
  explicit MiningSpace(const MiningGround& ground);

  PathSupport support;
  PathMeeting meeting;
  std::optional<PathReach> reach;
  std::optional<PathWalk> walk;
  Mask mask;
  std::vector<std::uint64_t> reached;
};

/// Chooses the paths of one target in stages. A stage is so many blocks of work, done by whoever is
/// free, in any order and at the same time, with the same result; between stages one thread works.
class PathMiner {
 public:
  PathMiner(const MiningGround& ground, OperatorId target);

  OperatorId target() const { return target_; }
  /// Of the present stage.
  std::size_t blocks() const;
  void work(std::size_t block, MiningSpace& space);
  /// Ends a stage whose blocks are done; false where it was the last.
  bool next();
  /// What was chosen, in order.
  std::vector<RelationPath> paths() const;

  // The parts of the work, one by one.

  /// Draws the facts of the target that the rest is about.
  void sample();
  std::span<const Fact> drawn() const { return sample_; }
  /// Paths of one or two hops that lead anywhere from where facts of the target start, in the order
  /// in which they were met; not many more than `most`.
  std::vector<std::uint64_t> short_paths(std::size_t most) const;
  /// Begins the search for the best `most` of the paths of at least `shortest` hops that lead to
  /// some answer; after sample().
  void search(std::size_t shortest, std::size_t most);
  /// What the search has found, in the order of the paths.
  std::span<const PathWorth> found() const { return worths_; }

 private:
  enum class Stage { starts, support, reach };

  void look_around();
  void count_support(std::size_t block, MiningSpace& space);
  void count_reached(std::size_t block, MiningSpace& space);
  void choose_candidates();
  void choose_best();
  std::size_t queries() const;
  std::size_t walks() const;
  EntityId start(const Fact& fact) const;

  const MiningGround& ground_;
  OperatorId target_;
  Stage stage_ = Stage::starts;
  std::vector<Fact> sample_;
  std::vector<std::uint64_t> chosen_;  ///< whatever the search finds
  std::vector<std::uint64_t> others_;  ///< where the search leaves room
  std::size_t shortest_ = 1;
  std::size_t most_ = 0;
  std::vector<PathQuestion> questions_;
  std::mutex mutex_;  ///< of what blocks add to
  std::optional<PathSupport> support_;
  std::vector<PathWorth> worths_;
  PathTrie trie_;
  std::vector<std::uint64_t> reached_;  ///< in parts of an entity: sums that know no order
};

/// As the public one, where the rows are at hand.
Result<PathTable> mine_paths(const OperatorRows& rows, const PathOptions& options,
                             const Observer& observer = {});

}  // namespace lerpp
