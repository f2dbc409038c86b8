// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// Values of the few entities that a thread is at; all others have `none`. An array where there are
/// few entities, and a hash table where arrays of all of them for every thread would fill the
/// memory.
template <class T>
class EntityMap {
 public:
  /// Entities up to which it is an array.
  static constexpr std::size_t most_array = std::size_t{1} << 18U;

  EntityMap() = default;
  explicit EntityMap(std::size_t entities, T none = T{}) : EntityMap(entities, none, most_array) {}
  EntityMap(std::size_t entities, T none, std::size_t most)
      : none_(none), size_(entities), is_array_(entities <= most) {
    if (is_array_) {
      array_.assign(entities, none);
    } else {
      slots_.assign(least_slots, {free, none});
    }
  }

  /// Entities that it can have values of.
  std::size_t size() const { return size_; }

  T get(EntityId entity) const {
    return is_array_ ? array_[entity] : slots_[place_of(entity)].value;
  }
  /// The value, to be written; valid until the next one.
  T& operator[](EntityId entity) {
    if (is_array_) return array_[entity];
    std::size_t place = place_of(entity);
    if (slots_[place].entity == free) {
      if (2 * ++used_ > slots_.size()) {
        grow();
        place = place_of(entity);
      }
      slots_[place].entity = entity;
    }
    return slots_[place].value;
  }

  /// Sets everything back to `none`; `touched` are those that have been written, seen through
  /// `entity_of`.
  template <class Range, class EntityOf = std::identity>
  void forget(const Range& touched, const EntityOf& entity_of = {}) {
    if (is_array_) {
      for (const auto& one : touched) array_[std::invoke(entity_of, one)] = none_;
    } else if (used_ > 0) {
      std::fill(slots_.begin(), slots_.end(), Slot{free, none_});
      used_ = 0;
    }
  }

  /// The values of all entities; there must be an array.
  const T* array() const { return array_.data(); }

 private:
  static constexpr EntityId free = std::numeric_limits<EntityId>::max();
  static constexpr std::size_t least_slots = 1024;
  struct Slot {
    EntityId entity = free;
    T value;
  };

  /// Where an entity stands, or else could.
  std::size_t place_of(EntityId entity) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t place = (entity * std::uint64_t{0x9e3779b97f4a7c15U} >> 32U) & last;
    while (slots_[place].entity != entity && slots_[place].entity != free)
      place = (place + 1) & last;
    return place;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size(), Slot{free, none_});
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.entity != free) slots_[place_of(slot.entity)] = slot;
    }
  }

  T none_ = T{};
  std::size_t size_ = 0;
  bool is_array_ = true;
  std::vector<T> array_;
  std::vector<Slot> slots_;  ///< a power of two, at most half of them taken
  std::size_t used_ = 0;
};

}  // namespace lerpp
