// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lerp/base/observer.hpp>

#include "model/path_support.hpp"
#include "model/path_walk.hpp"

namespace lerpp {

/// The codes of paths over so many operators, put together operator by operator.
class PathCodes {
 public:
  explicit PathCodes(OperatorId operators)
      : base_(std::uint64_t{operators} + 1), worth_{base_ * base_, base_, 1} {}

  /// What an operator adds to the code of a path that has it at this place.
  std::uint64_t part(OperatorId op, std::size_t place) const {
    return (op + std::uint64_t{1}) * worth_[place];
  }
  /// All codes are below it.
  std::uint64_t end() const { return base_ * base_ * base_; }
  /// Codes of paths of up to so many hops are multiples of it.
  std::uint64_t step(std::size_t length) const { return worth_[length - 1]; }
  bool at_least(std::uint64_t code, std::size_t length) const {
    return length < 2 || code % worth_[length - 2] != 0;
  }

 private:
  std::uint64_t base_;
  std::array<std::uint64_t, RelationPath::most> worth_;
};

/// A fact to be found by other ways: which paths lead from one end to the other. Searched from the
/// end where that is quicker.
struct PathQuestion {
  EntityId from = 0;
  EntityId to = 0;
  OperatorId op = 0;       ///< the fact itself, as a step from `from` to `to`, which is hidden
  bool backwards = false;  ///< `from` is the answer, and paths are told from `to`
};

/// Finds all paths between two entities: the ways into one of them are noted at its neighbours, and
/// the walk from the other looks there for its last step. Each thread has its own.
class PathMeeting {
 public:
  PathMeeting(const OperatorRows& rows, std::uint32_t length, std::uint32_t fanout);

  /// Quicker where the last question led to the same entity. May end early where it is stopped.
  void see(const PathQuestion& question, const Observer& observer, PathSupport& support);

 private:
  struct Way {
    OperatorId op = 0;
    std::uint32_t next = 0;
  };

  void note_ways(EntityId to);
  void see_two(const PathQuestion& question, PathSupport& support) const;
  void see_three(const PathQuestion& question, const Observer& observer,
                 PathSupport& support) const;
  bool hidden(const PathQuestion& question, EntityId entity, const Edge& edge) const;
  std::uint64_t part(const PathQuestion& question, OperatorId op, std::size_t hop,
                     std::size_t length) const;
  template <class Action>
  void for_each_way(const PathQuestion& question, EntityId entity, const Action& action) const;
  template <class Action>
  void for_each_edge(const PathQuestion& question, EntityId entity, const Action& action) const;

  const OperatorRows& rows_;
  const Graph& graph_;
  PathCodes codes_;
  std::uint32_t length_;
  std::uint32_t fanout_;
  EntityId noted_;  ///< the entity whose ways are noted
  std::vector<std::uint32_t> heads_;
  std::vector<Way> ways_;
};

}  // namespace lerpp
