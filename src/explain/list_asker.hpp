// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "model/list_index.hpp"

namespace lerpp {

/// Asks a list where its questions lead to, and keeps what it has found: answers are asked back,
/// and many questions have the same answers. Several threads may ask.
class ListAsker {
 public:
  using Changes = std::vector<ListIndex::Change>;

  explicit ListAsker(std::shared_ptr<const ListIndex> index) : index_(std::move(index)) {}

  const ListIndex& index() const { return *index_; }
  /// Questions about targets for which ListIndex::has_base().
  std::shared_ptr<const Changes> ask(const Query& query) const;

 private:
  /// Two generations: what the younger has room for, and what the older had. What is asked for
  /// often is always in one of them.
  struct Shelf {
    using Kept = std::unordered_map<std::uint64_t, std::shared_ptr<const Changes>>;

    std::mutex mutex;  ///< of what follows
    Kept young, old;
    std::size_t bytes = 0;  ///< of the young ones
  };

  std::shared_ptr<const Changes> kept(Shelf& shelf, std::uint64_t key) const;
  static void keep(Shelf& shelf, std::uint64_t key, std::shared_ptr<const Changes> changes);
  std::shared_ptr<const Changes> find(const Query& query) const;

  std::shared_ptr<const ListIndex> index_;
  mutable std::array<Shelf, 16> shelves_;
  mutable std::mutex idling_;  ///< of walkers_
  mutable std::vector<std::unique_ptr<ListIndex::Walker>> walkers_;
};

}  // namespace lerpp
