#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/kg/fact.hpp>

#include "model/kernels.hpp"

namespace lerpp {

/// Some of the entities, each with the row that holds it: functions are computed only where needed.
class RowSet {
 public:
  void resize(EntityId entities) { slots_.assign(entities, kernels::no_slot); }

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
  void clear() {
    for (const EntityId entity : rows_) slots_[entity] = kernels::no_slot;
    rows_.clear();
  }

 private:
  std::vector<EntityId> rows_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace lerpp
