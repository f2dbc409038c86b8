// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// Which pairs of entities a relation has already: open addressing, 8 bytes a slot.
class PairSet {
 public:
  explicit PairSet(std::uint64_t pairs)
      : slots_(std::bit_ceil(2 * pairs + 2)), shift_(64 - std::countr_zero(slots_.size())) {}

  /// Whether the pair was new; it must not be that of an entity with itself.
  bool insert(EntityId subject, EntityId object) {
    // Zero marks a free slot: the one key it could be belongs to a pair (0, 0).
    const std::uint64_t key = std::uint64_t{subject} << 32U | object;
    std::size_t slot = (key * 0x9e3779b97f4a7c15U ^ key >> 29U) * 0xbf58476d1ce4e5b9U >> shift_;
    while (slots_[slot] != 0) {
      if (slots_[slot] == key) return false;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = key;
    return true;
  }

 private:
  std::vector<std::uint64_t> slots_;
  int shift_;
};

}  // namespace lerpp
