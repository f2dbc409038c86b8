// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <lerp/kg/fact.hpp>

#include "model/entity_map.hpp"
#include "model/kernels.hpp"

namespace lerpp {

/// Some of the entities, each with the row that holds it: functions are computed only where needed.
class RowSet {
 public:
  /// Whether slots() will be asked for, whatever the number of entities.
  enum class Slots { none, all };

  void resize(EntityId entities, Slots slots = Slots::none) {
    const std::size_t most = slots == Slots::all ? std::numeric_limits<std::size_t>::max()
                                                 : EntityMap<std::uint32_t>::most_array;
    slots_ = EntityMap<std::uint32_t>(entities, kernels::no_slot, most);
    marks_.assign((entities + 63) / 64, 0);
  }

  std::size_t size() const { return rows_.size(); }
  /// How many entities it knows of.
  std::size_t capacity() const { return slots_.size(); }
  std::span<const EntityId> rows() const { return rows_; }
  /// The row of every entity, no_slot where it has none.
  const std::uint32_t* slots() const { return slots_.array(); }
  std::uint32_t slot(EntityId entity) const { return slots_.get(entity); }

  void add(EntityId entity) {
    std::uint32_t& slot = slots_[entity];
    if (slot != kernels::no_slot) return;
    slot = static_cast<std::uint32_t>(rows_.size());
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
    slots_.forget(rows_);
    rows_.clear();
  }

 private:
  std::vector<EntityId> rows_;
  EntityMap<std::uint32_t> slots_;
  std::vector<std::uint64_t> marks_;  ///< one bit an entity
};

}  // namespace lerpp
