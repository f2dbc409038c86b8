// SPDX-License-Identifier: Apache-2.0
#include "events/prefix_span.hpp"

#include <algorithm>
#include <map>

namespace lerpp {
namespace {

/// What is left of a sequence after a prefix: it starts where the prefix can end first.
struct Suffix {
  std::uint32_t sequence = 0;
  std::uint32_t start = 0;
};

class Miner {
 public:
  Miner(std::span<const std::vector<Item>> sequences, std::size_t least_support,
        std::size_t longest)
      : sequences_(sequences), least_support_(least_support), longest_(longest) {}

  std::vector<SequencePattern> mine() {
    std::vector<Suffix> whole;
    for (std::uint32_t i = 0; i < sequences_.size(); ++i) whole.push_back({i, 0});
    grow(whole);
    return std::move(patterns_);
  }

 private:
  void grow(const std::vector<Suffix>& suffixes) {
    if (prefix_.size() == longest_) return;
    std::map<Item, std::vector<Suffix>> projected;
    for (const Suffix& suffix : suffixes) {
      const std::vector<Item>& sequence = sequences_[suffix.sequence];
      for (std::uint32_t place = suffix.start; place < sequence.size(); ++place) {
        std::vector<Suffix>& rest = projected[sequence[place]];
        // Only the first occurrence counts: it leaves the longest suffix.
        if (!rest.empty() && rest.back().sequence == suffix.sequence) continue;
        rest.push_back({suffix.sequence, place + 1});
      }
    }
    for (const auto& [item, rest] : projected) {
      if (rest.size() < least_support_) continue;
      prefix_.push_back(item);
      patterns_.push_back({prefix_, rest.size()});
      grow(rest);
      prefix_.pop_back();
    }
  }

  std::span<const std::vector<Item>> sequences_;
  std::size_t least_support_;
  std::size_t longest_;
  std::vector<Item> prefix_;
  std::vector<SequencePattern> patterns_;
};

}  // namespace

std::vector<SequencePattern> prefix_span(std::span<const std::vector<Item>> sequences,
                                         std::size_t least_support, std::size_t longest) {
  return Miner(sequences, std::max<std::size_t>(1, least_support), longest).mine();
}

bool holds_pattern(std::span<const Item> sequence, std::span<const Item> pattern) {
  std::size_t found = 0;
  for (std::size_t place = 0; place < sequence.size() && found < pattern.size(); ++place) {
    if (sequence[place] == pattern[found]) ++found;
  }
  return found == pattern.size();
}

}  // namespace lerpp
