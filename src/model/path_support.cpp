// SPDX-License-Identifier: Apache-2.0
#include "model/path_support.hpp"

#include <bit>

namespace lerpp {
namespace {

/// Tables of up to so many codes: 4 MiB of counts.
constexpr std::uint64_t most_codes = std::uint64_t{1} << 20U;
constexpr std::size_t first_size = 1024;

std::size_t first_place(std::uint64_t number, std::size_t mask) {
  return (number * 0x9e3779b97f4a7c15U >> 32U) & mask;
}

}  // namespace

PathSupport::PathSupport(std::uint64_t codes, std::uint64_t step) : step_(step) {
  const std::uint64_t places = (codes + step - 1) / step;
  if (places <= most_codes) {
    bits_.resize((places + 63) / 64);
    counts_.resize(places);
  } else {
    entries_.resize(first_size);
  }
}

void PathSupport::end_query() {
  for (const std::uint32_t at : touched_) {
    for (std::uint64_t word = bits_[at]; word != 0; word &= word - 1) {
      const std::uint32_t index = 64 * at + static_cast<std::uint32_t>(std::countr_zero(word));
      if (counts_[index]++ == 0) seen_.push_back(index);
    }
    bits_[at] = 0;
  }
  touched_.clear();
  ++query_;
}

void PathSupport::add(const PathSupport& other) {
  for (const std::uint32_t index : other.seen_) {
    if (counts_[index] == 0) seen_.push_back(index);
    counts_[index] += other.counts_[index];
  }
  for (const Entry& from : other.entries_) {
    if (from.code == 0) continue;
    Entry& to = find(from.code);
    to.queries += from.queries;
    if (to.code != 0) continue;
    to.code = from.code;
    if (2 * ++size_ > entries_.size()) grow();
  }
}

void PathSupport::clear() {
  for (const std::uint32_t index : seen_) counts_[index] = 0;
  seen_.clear();
  if (!entries_.empty()) entries_.assign(first_size, {});
  size_ = 0;
  query_ = 1;
}

void PathSupport::see_listed(std::uint64_t code) {
  Entry& entry = find(code);
  if (entry.last == query_) return;
  entry.last = query_;
  ++entry.queries;
  if (entry.code != 0) return;
  entry.code = code;
  if (2 * ++size_ > entries_.size()) grow();
}

PathSupport::Entry& PathSupport::find(std::uint64_t code) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t place = first_place(code, mask);
  while (entries_[place].code != 0 && entries_[place].code != code) place = (place + 1) & mask;
  return entries_[place];
}

void PathSupport::grow() {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.code != 0) find(entry.code) = entry;
  }
}

bool NumberSet::insert(std::uint64_t number) {
  const auto place_of = [&](std::uint64_t wanted) {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = first_place(wanted, mask);
    while (places_[place] != 0 && places_[place] != wanted) place = (place + 1) & mask;
    return place;
  };
  const std::size_t place = place_of(number);
  if (places_[place] == number) return false;
  places_[place] = number;
  if (2 * ++size_ > places_.size()) {
    std::vector<std::uint64_t> old(2 * places_.size());
    old.swap(places_);
    for (const std::uint64_t one : old) {
      if (one != 0) places_[place_of(one)] = one;
    }
  }
  return true;
}

}  // namespace lerpp
