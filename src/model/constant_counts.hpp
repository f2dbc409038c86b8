// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "model/constant_tables.hpp"
#include "model/entity_map.hpp"

namespace lerpp {

/// The tables as the queries of one target may see them: the start is nobody's example, and hidden
/// facts count nowhere. That is exact, and costs what the hidden facts touch.
class ConstantCounts {
 public:
  /// One r(x, c) of a start x that is visible.
  struct Trait {
    Edge edge;                ///< r and c
    std::uint32_t body = 0;   ///< others with r(x', c)
    std::uint32_t least = 0;  ///< lower counts say nothing
    std::span<const ConstantTables::Entry> entries;
  };
  /// What a worker needs while it reads.
  class Reader {
   public:
    explicit Reader(const ConstantCounts& counts) : less_(counts.tables().graph().entities()) {}

   private:
    friend ConstantCounts;
    struct Less {
      std::uint32_t count = 0;
      std::uint32_t base = 0;
    };
    EntityMap<Less> less_;  ///< by answer, what the start and the hidden facts have in the tables
    std::uint32_t answering_ = 0;
  };

  explicit ConstantCounts(std::shared_ptr<const ConstantTables> tables);

  const ConstantTables& tables() const { return *tables_; }
  /// There may be no mask.
  void begin(OperatorId target, const Mask* mask);

  /// Calls `action(trait)` for what the start visibly has and says something, in the order of its
  /// edges. Meanwhile the reader knows the counts.
  template <class Action>
  void for_each_trait(Reader& reader, EntityId start, Action&& action) const;
  /// Others with the trait that have the answer of an entry.
  std::uint32_t count(const Reader& reader, const ConstantTables::Entry& entry) const {
    return entry.count - reader.less_.get(entry.answer).count;
  }
  /// Others that have an answer, with or without the trait.
  std::uint32_t base(const Reader& reader, EntityId answer) const {
    return base(answer) - reader.less_.get(answer).base;
  }
  /// Others that have any answer.
  std::uint32_t answering(const Reader& reader) const { return reader.answering_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// An example that has lost a trait, or else an answer.
  struct Change {
    EntityId entity = 0;
    bool trait = false;
    std::uint32_t next = 0;  ///< change of the same trait
  };
  struct Lost {
    EntityId entity = 0;
    EntityId answer = 0;
    auto operator<=>(const Lost&) const = default;
  };

  /// The number of a trait's row, `none` where it says nothing about the target.
  std::uint32_t row_number(std::uint32_t trait) const {
    return large_ ? find_row(trait) : row_of_trait_[trait];
  }
  std::uint32_t find_row(std::uint32_t trait) const;
  /// How many examples visibly have an answer.
  std::uint32_t base(EntityId answer) const {
    return large_ ? find_base(answer) - fewer_.get(answer) : base_[answer];
  }
  std::uint32_t find_base(EntityId answer) const;
  void lose(EntityId answer);
  void take(OperatorId target);
  void hide(const Mask& mask);
  void show();
  void link(EntityId entity, std::size_t place, bool trait);
  std::uint32_t apply(Reader& reader, EntityId start, std::uint32_t trait,
                      std::uint32_t step) const;
  void leave_out(Reader& reader, EntityId start) const;

  std::shared_ptr<const ConstantTables> tables_;
  bool large_;
  OperatorId target_ = none;
  const Mask* mask_ = nullptr;
  // Of the target, on a small graph; on a large one both are looked up in the tables.
  std::vector<std::uint32_t> row_of_trait_;
  std::vector<std::uint32_t> base_;  ///< by entity; 1 where the tables say nothing
  EntityMap<std::uint32_t> fewer_;   ///< what is to be taken off base_, on a large graph
  std::uint32_t answering_ = 0;
  std::vector<Lost> lost_;  ///< hidden answers to the target, sorted
  std::vector<Change> changes_;
  EntityMap<std::uint32_t> change_of_trait_;  ///< the first
  std::vector<std::uint32_t> changed_;        ///< traits
};

template <class Action>
void ConstantCounts::for_each_trait(Reader& reader, EntityId start, Action&& action) const {
  const Graph& graph = tables_->graph();
  const std::span<const ConstantTables::Row> rows = tables_->rows(target_);
  const bool touched = mask_ != nullptr && mask_->touches(start);
  const std::uint32_t self = tables_->is_example(start) ? 1 : 0;
  const std::span<const Edge> edges = graph.edges(start);
  leave_out(reader, start);
  for (std::size_t at = 0; at < edges.size(); ++at) {
    const std::size_t place = graph.start(start) + at;
    const std::uint32_t trait = tables_->trait(place);
    const std::uint32_t row = row_number(trait);
    if (row == none || (touched && mask_->hides(place))) continue;
    const bool changed = change_of_trait_.get(trait) != none;
    const std::uint32_t gone = changed ? apply(reader, start, trait, 1) : 0;
    action(Trait{edges[at], tables_->examples(trait) - self - gone, rows[row].least,
                 tables_->entries(rows[row])});
    if (changed) apply(reader, start, trait, -1U);
  }
  reader.less_.forget(graph.edges(start, target_), &Edge::target);
}

}  // namespace lerpp
