#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lerp/model/paths.hpp>

#include "model/path_walk.hpp"

namespace lerpp {

/// In how many queries a path was seen, each query counted once; open addressing.
class PathCounter {
 public:
  struct Entry {
    std::uint64_t code = 0;  ///< 0 is empty: no path has it
    std::uint32_t queries = 0;
    std::uint32_t last = 0;
  };

  /// Whether the path is new. Queries are numbered from 1, one after the other.
  bool see(std::uint64_t code, std::uint32_t query);
  std::size_t size() const { return size_; }
  std::span<const Entry> entries() const { return entries_; }
  void clear();

 private:
  Entry& find(std::uint64_t code);
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  std::size_t size_ = 0;
};

/// What a path is worth for a target.
struct PathWorth {
  std::uint64_t code = 0;
  std::uint32_t support = 0;  ///< queries whose answer it leads to
  double reached = 0;         ///< entities that it leads to, summed over the walked queries
  double score = 0;           ///< support * sqrt(precision)
};

/// Facts of each relation, found once for all miners.
class FactsByRelation {
 public:
  explicit FactsByRelation(const Graph& graph);
  std::span<const Fact> of(RelationId relation) const {
    return {facts_.data() + firsts_[relation], facts_.data() + firsts_[relation + 1]};
  }

 private:
  std::vector<Fact> facts_;
  std::vector<std::size_t> firsts_;
};

/// Chooses the paths of one target after the other; each thread has its own.
class PathMiner {
 public:
  PathMiner(const OperatorRows& rows, const FactsByRelation& facts, const PathOptions& options);

  std::vector<RelationPath> choose(OperatorId target);

  /// The best `most` of the paths of at least `shortest` hops that lead to some answer, best first;
  /// after sample().
  std::vector<PathWorth> best(OperatorId target, std::size_t shortest, std::size_t most);
  /// Draws the facts of a target that the rest is about.
  void sample(OperatorId target);
  /// Paths of one or two hops that lead anywhere from where facts of the target start, in the order
  /// in which they were met; not many more than `most`.
  std::vector<std::uint64_t> short_paths(OperatorId target, std::size_t most);

 private:
  /// A fact as the query that it answers.
  struct Asked {
    EntityId start = 0;
    OperatorId target = 0;
    EntityId answer = 0;
  };
  Asked asked(const Fact& fact, OperatorId target) const;

  void count_support(const Asked& query, std::uint32_t number);
  void meet(const Asked& query, std::uint32_t number, bool backwards);
  std::size_t third_hops(EntityId from) const;
  void count_reached(OperatorId target, std::vector<PathWorth>& paths);
  std::uint64_t code(std::initializer_list<OperatorId> operators, bool backwards) const;
  std::size_t followed(std::size_t size) const;

  const OperatorRows& rows_;
  const Graph& graph_;
  const FactsByRelation& facts_;
  PathOptions options_;
  std::vector<Fact> sample_;
  PathCounter counter_;
  PathWalk walk_;
  Mask mask_;

  // The ways into the end of a query: a list of operators for each entity next to it.
  struct Way {
    OperatorId op = 0;
    std::uint32_t next = 0;
  };
  std::vector<std::uint32_t> heads_;
  std::vector<Way> ways_;
};

}  // namespace lerpp
