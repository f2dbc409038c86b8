// SPDX-License-Identifier: Apache-2.0
#include <lerp/kg/vocabulary.hpp>

#define XXH_INLINE_ALL
#include <bit>
#include <cassert>
#include <utility>

#include <xxhash.h>

#include "kg/digest.hpp"

namespace lerpp {
namespace {
constexpr std::size_t least_slots = 64;

unsigned shift_of(std::size_t slots) {
  return 64 - static_cast<unsigned>(std::countr_zero(slots));
}
}  // namespace

Vocabulary::Vocabulary() : starts_{0}, slots_(least_slots, Slot{}), shift_(shift_of(least_slots)) {}

std::uint64_t Vocabulary::hash(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

std::size_t Vocabulary::slot_of(std::string_view wanted, std::uint64_t hash) const {
  std::size_t slot = home(hash);
  while (slots_[slot].id != none &&
         !(slots_[slot].tag == tag(hash) && is(slots_[slot].id, wanted))) {
    slot = next(slot);
  }
  return slot;
}

Vocabulary::Id Vocabulary::find(std::string_view name, std::uint64_t hash) const {
  return slots_[slot_of(name, hash)].id;
}

std::optional<Vocabulary::Id> Vocabulary::find(std::string_view name) const {
  const Id id = find(name, hash(name));
  return id == none ? std::nullopt : std::optional<Id>(id);
}

Vocabulary::Id Vocabulary::intern(std::string_view name, std::uint64_t hash) {
  std::size_t slot = slot_of(name, hash);
  if (slots_[slot].id != none) return slots_[slot].id;
  assert(size() < none - 1);
  const Id id = size();
  characters_.insert(characters_.end(), name.begin(), name.end());
  starts_.push_back(characters_.size());
  slots_[slot] = {tag(hash), id};
  if (2 * starts_.size() > slots_.size()) grow(2 * slots_.size());
  return id;
}

void Vocabulary::grow(std::size_t slots) {
  // The tag alone says where a name belongs, up to 2^32 slots: the names need not be read again.
  assert(slots <= std::size_t{1} << 32U);
  const LargeArray<Slot> old = std::exchange(slots_, LargeArray<Slot>(slots, Slot{}));
  shift_ = shift_of(slots);
  for (const Slot& entry : old) {
    if (entry.id == none) continue;
    std::size_t slot = home(static_cast<std::uint64_t>(entry.tag) << 32U);
    while (slots_[slot].id != none) slot = next(slot);
    slots_[slot] = entry;
  }
}

void Vocabulary::reserve(std::size_t names, std::size_t characters) {
  characters_.reserve(characters);
  starts_.reserve(names + 1);
  const std::size_t slots = std::bit_ceil(2 * (names + 1));
  if (slots > slots_.size()) grow(slots);
}

std::size_t Vocabulary::bytes() const {
  return characters_.capacity() + starts_.capacity() * sizeof(starts_[0]) +
         slots_.capacity() * sizeof(Slot);
}

std::string fingerprint(const Vocabulary& names) {
  Digest digest;
  for (Vocabulary::Id id = 0; id < names.size(); ++id) {
    const std::uint64_t size = names.name(id).size();
    digest.add(&size, sizeof(size));
    digest.add(names.name(id).data(), size);
  }
  return digest.text();
}

}  // namespace lerpp
