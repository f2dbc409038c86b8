// SPDX-License-Identifier: Apache-2.0
#include "explain/list_asker.hpp"

namespace lerpp {
namespace {

/// Of one generation of one shelf: together at most 64 MiB.
constexpr std::size_t most_bytes = std::size_t{2} << 20U;
/// What an entry takes besides its changes, about.
constexpr std::size_t entry_bytes = 96;

std::uint64_t key_of(const Query& query) {
  return (std::uint64_t{query.target} << 32U) | query.start;
}

/// Bits that differ where numbers that follow each other differ.
std::size_t shelf_of(std::uint64_t key) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>((key * golden) >> 60U);
}

}  // namespace

std::shared_ptr<const ListAsker::Changes> ListAsker::ask(const Query& query) const {
  const std::uint64_t key = key_of(query);
  Shelf& shelf = shelves_[shelf_of(key)];
  if (auto changes = kept(shelf, key)) return changes;
  auto changes = find(query);
  keep(shelf, key, changes);
  return changes;
}

std::shared_ptr<const ListAsker::Changes> ListAsker::kept(Shelf& shelf, std::uint64_t key) const {
  const std::lock_guard lock(shelf.mutex);
  if (const auto found = shelf.young.find(key); found != shelf.young.end()) return found->second;
  const auto found = shelf.old.find(key);
  if (found == shelf.old.end()) return nullptr;
  shelf.bytes += entry_bytes + found->second->capacity() * sizeof(ListIndex::Change);
  return shelf.young.emplace(key, found->second).first->second;
}

void ListAsker::keep(Shelf& shelf, std::uint64_t key, std::shared_ptr<const Changes> changes) {
  const std::size_t bytes = entry_bytes + changes->capacity() * sizeof(ListIndex::Change);
  const std::lock_guard lock(shelf.mutex);
  if (shelf.bytes + bytes > most_bytes) {
    shelf.old = std::exchange(shelf.young, {});
    shelf.bytes = 0;
  }
  if (bytes > most_bytes || !shelf.young.emplace(key, std::move(changes)).second) return;
  shelf.bytes += bytes;
}

std::shared_ptr<const ListAsker::Changes> ListAsker::find(const Query& query) const {
  std::unique_ptr<ListIndex::Walker> walker;
  {
    const std::lock_guard lock(idling_);
    if (!walkers_.empty()) {
      walker = std::move(walkers_.back());
      walkers_.pop_back();
    }
  }
  if (!walker) walker = std::make_unique<ListIndex::Walker>(*index_);
  Changes found;
  index_->find_changes(*walker, query, found);
  // As large as need be, since it stays.
  auto changes = std::make_shared<const Changes>(found.begin(), found.end());
  const std::lock_guard lock(idling_);
  walkers_.push_back(std::move(walker));
  return changes;
}

}  // namespace lerpp
