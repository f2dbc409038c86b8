// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// A set of the entities of one graph, a bit each.
class EntitySet {
 public:
  explicit EntitySet(EntityId entities = 0, bool full = false)
      : entities_(entities),
        words_((entities + std::size_t{63}) / 64, full ? ~std::uint64_t{0} : 0) {
    trim();
  }

  /// How many entities there are, members or not.
  EntityId entities() const { return entities_; }
  std::size_t count() const {
    std::size_t members = 0;
    for (const std::uint64_t word : words_)
      members += static_cast<std::size_t>(std::popcount(word));
    return members;
  }
  bool contains(EntityId entity) const { return (words_[entity / 64] >> (entity % 64) & 1U) != 0; }
  void insert(EntityId entity) { words_[entity / 64] |= std::uint64_t{1} << (entity % 64); }
  void erase(EntityId entity) { words_[entity / 64] &= ~(std::uint64_t{1} << (entity % 64)); }

  EntitySet& operator&=(const EntitySet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  EntitySet& operator|=(const EntitySet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  void complement() {
    for (std::uint64_t& word : words_) word = ~word;
    trim();
  }

  /// Calls action(entity) for each member, in rising order.
  template <class Action>
  void for_each(Action&& action) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        action(static_cast<EntityId>(i * 64 + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
  }

  bool operator==(const EntitySet&) const = default;

 private:
  /// Bits beyond the last entity stay 0, so that sets compare and count by their words.
  void trim() {
    if (entities_ % 64 != 0) words_.back() &= ~std::uint64_t{0} >> (64 - entities_ % 64);
  }

  EntityId entities_;
  std::vector<std::uint64_t> words_;
};

}  // namespace lerpp
