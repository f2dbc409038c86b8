// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/constant_tables.hpp"

namespace lerpp {

/// Counts what those who have a trait have besides, for one worker, trait by trait.
class ConstantCounter {
 public:
  struct Found {
    OperatorId target = 0;
    ConstantTables::Row row;  ///< of entries()
  };

  explicit ConstantCounter(const ConstantTables& tables);

  /// Begins anew; with more than one choice it only counts what each would keep.
  void start(std::span<const ConstantTables::Keep> choices);
  void add(std::uint32_t trait, std::span<const Edge> members);

  /// Entries of each choice.
  std::span<const std::size_t> kept() const { return kept_; }
  /// Of the one choice. The owner may take them.
  std::vector<Found>& rows() { return rows_; }
  std::vector<ConstantTables::Entry>& entries() { return entries_; }

 private:
  template <class Action>
  void for_each_edge(std::span<const Edge> members, Action&& action) const;
  void add_few(std::uint32_t trait, std::span<const Edge> members);
  void add_many(std::uint32_t trait, std::span<const Edge> members);
  void finish(std::uint32_t trait, OperatorId target);
  void tally();

  const ConstantTables& tables_;
  std::vector<ConstantTables::Keep> choices_;
  std::vector<std::size_t> kept_;
  std::vector<Found> rows_;
  std::vector<ConstantTables::Entry> entries_;

  std::vector<std::uint64_t> keys_;             ///< edges of the examples, as numbers
  std::vector<OperatorId> targets_;             ///< of the trait at hand
  std::vector<std::size_t> ends_;               ///< by target, where its answers end in answers_
  std::vector<EntityId> answers_;               ///< of all examples of the trait, by target
  std::vector<std::uint32_t> counts_;           ///< of each entity as an answer
  std::vector<ConstantTables::Entry> counted_;  ///< of the target at hand
  std::vector<std::uint32_t> ranked_;           ///< their counts
};

}  // namespace lerpp
