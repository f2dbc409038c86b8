#include <lerp/kg/vocabulary.hpp>

#define XXH_INLINE_ALL
#include <bit>
#include <cassert>

#include <xxhash.h>

namespace lerpp {
namespace {
constexpr std::size_t least_slots = 64;
}

Vocabulary::Vocabulary() : starts_{0}, slots_(least_slots), mask_(least_slots - 1) {}

std::uint64_t Vocabulary::hash(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

std::size_t Vocabulary::slot_of(std::string_view wanted, std::uint64_t hash) const {
  std::size_t slot = hash & mask_;
  while (slots_[slot].id != none &&
         !(slots_[slot].tag == tag(hash) && name(slots_[slot].id) == wanted)) {
    slot = (slot + 1) & mask_;
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
  slots_.assign(slots, Slot{});
  mask_ = slots - 1;
  for (Id id = 0; id < size(); ++id) {
    const std::uint64_t key = hash(name(id));
    std::size_t slot = key & mask_;
    while (slots_[slot].id != none) slot = (slot + 1) & mask_;
    slots_[slot] = {tag(key), id};
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

}  // namespace lerpp
