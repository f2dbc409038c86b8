#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lerp/kg/fact.hpp>

#include "model/kernels.hpp"

namespace lerpp {

/// Some of the entities, each with the row that holds it: functions are computed only where needed.
class RowSet {
 public:
  void resize(EntityId entities) {
    slots_.assign(entities, kernels::no_slot);
    marks_.assign((entities + 63) / 64, 0);
  }

  std::size_t size() const { return rows_.size(); }
  /// How many entities it knows of.
  std::size_t capacity() const { return slots_.size(); }
  std::span<const EntityId> rows() const { return rows_; }
  /// The row of every entity, no_slot where it has none.
  const std::uint32_t* slots() const { return slots_.data(); }
  std::uint32_t slot(EntityId entity) const { return slots_[entity]; }

  void add(EntityId entity) {
    if (slots_[entity] != kernels::no_slot) return;
    slots_[entity] = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back(entity);
  }
  /// Asks for an entity; several threads may at once. take_marked() adds all that were asked for,
  /// in rising order.
  void mark(EntityId entity) {
    const std::atomic_ref word(marks_[entity / 64]);
    const std::uint64_t bit = std::uint64_t{1} << (entity % 64);
    // Most are marked already, and looking is cheaper than writing.
    if ((word.load(std::memory_order_relaxed) & bit) == 0)
      word.fetch_or(bit, std::memory_order_relaxed);
  }
  void take_marked() {
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      for (std::uint64_t word = std::exchange(marks_[i], 0); word != 0; word &= word - 1)
        add(static_cast<EntityId>(64 * i + static_cast<std::size_t>(std::countr_zero(word))));
    }
  }
  void clear() {
    for (const EntityId entity : rows_) slots_[entity] = kernels::no_slot;
    rows_.clear();
  }

 private:
  std::vector<EntityId> rows_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> marks_;  ///< one bit an entity
};

}  // namespace lerpp
