// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lerpp {

/// In how many queries each path was seen, by the codes of the paths. A table where all codes
/// there can be are few, else open addressing.
class PathSupport {
 public:
  /// Codes lie below `codes` and are multiples of `step`.
  PathSupport(std::uint64_t codes, std::uint64_t step);

  /// A path leads to the answer of the present query.
  void see(std::uint64_t code) {
    if (bits_.empty()) return see_listed(code);
    const std::uint64_t index = step_ == 1 ? code : code / step_;
    std::uint64_t& word = bits_[index / 64];
    if (word == 0) touched_.push_back(static_cast<std::uint32_t>(index / 64));
    word |= std::uint64_t{1} << (index % 64);
  }
  /// The present query is done: what it saw counts once.
  void end_query();

  /// Adds what another saw, in whatever order; both are made alike.
  void add(const PathSupport& other);
  void clear();

  /// Calls `action(code, queries)` for each path that was seen.
  template <class Action>
  void for_each(Action&& action) const {
    for (std::size_t index = 0; index < counts_.size(); ++index) {
      if (counts_[index] > 0) action(index * step_, counts_[index]);
    }
    for (const Entry& entry : entries_) {
      if (entry.code != 0) action(entry.code, entry.queries);
    }
  }

 private:
  struct Entry {
    std::uint64_t code = 0;  ///< 0 is empty: no path has it
    std::uint32_t queries = 0;
    std::uint32_t last = 0;  ///< the query that saw it last
  };

  void see_listed(std::uint64_t code);
  Entry& find(std::uint64_t code);
  void grow();

  std::uint64_t step_;
  // The table: what the present query saw, one bit a code, and the words of it that are not 0.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> seen_;  ///< places of the table that are not 0
  // The list.
  std::vector<Entry> entries_;
  std::size_t size_ = 0;
  std::uint32_t query_ = 1;
};

/// Numbers that were met before, 0 not among them.
class NumberSet {
 public:
  /// Whether it is new.
  bool insert(std::uint64_t number);

 private:
  std::vector<std::uint64_t> places_ = std::vector<std::uint64_t>(1024);
  std::size_t size_ = 0;
};

}  // namespace lerpp
