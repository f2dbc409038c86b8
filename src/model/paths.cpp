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

std::vector<std::uint64_t> PathTable::flat() const {
  std::vector<std::uint64_t> flat(paths_.size() * capacity_);
  for (std::size_t target = 0; target < paths_.size(); ++target) {
    std::transform(paths_[target].begin(), paths_[target].end(),
                   flat.begin() + static_cast<std::ptrdiff_t>(target * capacity_),
                   [&](const RelationPath& path) { return path.code(operators()); });
  }
  return flat;
}

Result<PathTable> PathTable::from_flat(RelationId relations, std::uint32_t capacity,
                                       std::span<const std::uint64_t> flat) {
  const auto bad = [](std::string what) {
    return fail(std::move(what), "paths", "the file is damaged; train the model again");
  };
  const std::size_t targets = 2 * std::size_t{relations};
  if (flat.size() != targets * capacity) {
    return bad(fmt::format("there are {} paths instead of {} for each of {} targets", flat.size(),
                           capacity, targets));
  }
  std::vector<std::vector<RelationPath>> paths(targets);
  for (std::size_t place = 0; place < flat.size(); ++place) {
    if (flat[place] == 0) continue;
    std::vector<RelationPath>& list = paths[place / capacity];
    const auto path = RelationPath::from_code(flat[place], static_cast<OperatorId>(targets));
    if (!path) return bad(fmt::format("{} is no path over {} operators", flat[place], targets));
    if (list.size() != place % capacity || (!list.empty() && *path <= list.back()))
      return bad(fmt::format("the paths of target {} are out of order", place / capacity));
    list.push_back(*path);
  }
  return PathTable(relations, capacity, std::move(paths));
}

}  // namespace lerpp
