// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// PrefixSpan (Pei et al. 2001): the subsequences that many sequences share.
namespace lerpp {

using Item = std::uint32_t;

struct SequencePattern {
  std::vector<Item> items;
  std::size_t support = 0;  ///< sequences that hold the items in this order, gaps allowed

  bool operator==(const SequencePattern&) const = default;
};

/// Every pattern of 1 to `longest` items with at least this support, in the order of a walk through
/// the prefixes with items rising.
std::vector<SequencePattern> prefix_span(std::span<const std::vector<Item>> sequences,
                                         std::size_t least_support, std::size_t longest);

/// Whether the sequence holds the pattern's items in their order.
bool holds_pattern(std::span<const Item> sequence, std::span<const Item> pattern);

}  // namespace lerpp
