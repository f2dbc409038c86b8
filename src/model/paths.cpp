// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <lerp/model/paths.hpp>

namespace lerpp {

std::uint64_t RelationPath::code(OperatorId operators) const {
  const std::uint64_t base = std::uint64_t{operators} + 1;
  std::uint64_t code = 0;
  for (std::size_t i = 0; i < most; ++i) code = code * base + (i < length_ ? operators_[i] + 1 : 0);
  return code;
}

std::optional<RelationPath> RelationPath::from_code(std::uint64_t code, OperatorId operators) {
  const std::uint64_t base = std::uint64_t{operators} + 1;
  std::array<OperatorId, most> path = {};
  std::size_t length = 0;
  for (std::size_t i = most; i-- > 0; code /= base) {
    const std::uint64_t digit = code % base;
    if (digit == 0 && length > 0) return std::nullopt;
    if (digit == 0) continue;
    length = std::max(length, i + 1);
    path[i] = static_cast<OperatorId>(digit - 1);
  }
  if (length == 0 || code != 0) return std::nullopt;
  return RelationPath(std::span<const OperatorId>(path.data(), length));
}

std::strong_ordering RelationPath::operator<=>(const RelationPath& other) const {
  const auto mine = operators();
  const auto theirs = other.operators();
  return std::lexicographical_compare_three_way(mine.begin(), mine.end(), theirs.begin(),
                                                theirs.end());
}

PathTable::PathTable(RelationId relations, std::uint32_t capacity,
                     std::vector<std::vector<RelationPath>> paths)
    : relations_(relations), capacity_(capacity), paths_(std::move(paths)) {
  assert(paths_.size() == operators());
  for (std::vector<RelationPath>& list : paths_) {
    if (!std::is_sorted(list.begin(), list.end())) std::sort(list.begin(), list.end());
    assert(list.size() <= capacity_);
    assert(std::adjacent_find(list.begin(), list.end()) == list.end());
  }
}

std::vector<std::uint64_t> PathTable::flat(std::span<const std::uint32_t> counts) const {
  assert(counts.size() == paths_.size());
  std::vector<std::uint64_t> flat;
  std::size_t end = 0;
  for (std::size_t target = 0; target < paths_.size(); ++target) {
    assert(paths_[target].size() <= counts[target]);
    for (const RelationPath& path : paths_[target]) flat.push_back(path.code(operators()));
    flat.resize(end += counts[target]);
  }
  return flat;
}

Result<PathTable> PathTable::from_flat(RelationId relations, std::uint32_t capacity,
                                       std::span<const std::uint32_t> counts,
                                       std::span<const std::uint64_t> flat) {
  const auto bad = [](std::string what) {
    return fail(std::move(what), "paths", "the file is damaged; train the model again");
  };
  const std::size_t targets = 2 * std::size_t{relations};
  assert(counts.size() == targets);
  std::vector<std::vector<RelationPath>> paths(targets);
  std::size_t place = 0;
  for (std::size_t target = 0; target < targets; ++target) {
    std::vector<RelationPath>& list = paths[target];
    if (counts[target] > capacity || counts[target] > flat.size() - place)
      return bad(fmt::format("target {} has {} paths", target, counts[target]));
    const std::span<const std::uint64_t> codes = flat.subspan(place, counts[target]);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] == 0) continue;
      const auto path = RelationPath::from_code(codes[i], static_cast<OperatorId>(targets));
      if (!path) return bad(fmt::format("{} is no path over {} operators", codes[i], targets));
      if (list.size() != i || (!list.empty() && *path <= list.back()))
        return bad(fmt::format("the paths of target {} are out of order", target));
      list.push_back(*path);
    }
    place += counts[target];
  }
  if (place != flat.size())
    return bad(fmt::format("there are {} paths instead of {}", flat.size(), place));
  return PathTable(relations, capacity, std::move(paths));
}

}  // namespace lerpp
