// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <lerp/kg/large_array.hpp>

namespace lerpp {

/// Names, each stored once, numbered in the order in which they were first seen.
///
/// All names lie in one block of characters, and the index holds only 8 bytes a slot (a piece of
/// the hash and the number), so that a million names fit the cache better than a map of strings
/// would.
class Vocabulary {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = ~Id{0};

  Vocabulary();

  Id size() const { return static_cast<Id>(starts_.size() - 1); }
  bool empty() const { return size() == 0; }
  std::string_view name(Id id) const {
    return {characters_.data() + starts_[id], starts_[id + 1] - starts_[id]};
  }

  std::optional<Id> find(std::string_view name) const;
  /// The number of a name, given now if it is new.
  Id intern(std::string_view name) { return intern(name, hash(name)); }

  /// For loops over many names: hash a few ahead, prefetch, then look up. `none` where absent.
  static std::uint64_t hash(std::string_view name);
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[home(hash)]); }
  Id find(std::string_view name, std::uint64_t hash) const;
  Id intern(std::string_view name, std::uint64_t hash);

  /// The same in smaller steps, each a block of names long, so that no step waits for memory: the
  /// name that the hash points to (`none` where absent, and almost always right where not), two
  /// prefetches, and the comparison.
  Id candidate(std::uint64_t hash) const {
    std::size_t slot = home(hash);
    while (slots_[slot].id != none && slots_[slot].tag != tag(hash)) slot = next(slot);
    return slots_[slot].id;
  }
  void prefetch_start(Id id) const { __builtin_prefetch(&starts_[id]); }
  void prefetch_name(Id id) const { __builtin_prefetch(characters_.data() + starts_[id]); }
  bool is(Id id, std::string_view wanted) const {
    const std::string_view held = name(id);
    return held.size() == wanted.size() && same(held.data(), wanted.data(), held.size());
  }

  void reserve(std::size_t names, std::size_t characters);
  /// Memory held, for reports.
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t tag = 0;
    Id id = none;
  };

  /// Names are short: comparing words in place is quicker than a call of memcmp.
  static bool same(const char* left, const char* right, std::size_t size) {
    const auto differ = [&]<class Word>(Word, std::size_t place) {
      Word a;
      Word b;
      std::memcpy(&a, left + place, sizeof(Word));
      std::memcpy(&b, right + place, sizeof(Word));
      return a != b;
    };
    if (size >= 8) {
      for (std::size_t place = 0; place + 8 < size; place += 8) {
        if (differ(std::uint64_t{}, place)) return false;
      }
      return !differ(std::uint64_t{}, size - 8);
    }
    if (size >= 4) return !differ(std::uint32_t{}, 0) && !differ(std::uint32_t{}, size - 4);
    while (size > 0) {
      if (differ(std::uint8_t{}, --size)) return false;
    }
    return true;
  }
  static std::uint32_t tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  /// Where the search for a name starts: the upper bits of the tag, so that a larger index keeps
  /// the order and growing runs through memory from end to end.
  std::size_t home(std::uint64_t hash) const { return static_cast<std::size_t>(hash >> shift_); }
  std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  /// The slot that holds the name, or the free one where it belongs.
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;
  void grow(std::size_t slots);

  LargeArray<char> characters_;
  LargeArray<std::uint64_t> starts_;  ///< one more than there are names
  LargeArray<Slot> slots_;            ///< a power of two, at most half full
  unsigned shift_ = 0;                ///< 64 less the bits of a slot's number
};

/// Tells vocabularies apart: the names and their numbers, as 16 hexadecimal digits.
std::string fingerprint(const Vocabulary& names);

}  // namespace lerpp
