// SPDX-License-Identifier: Apache-2.0
#include "model/constant_counter.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace lerpp {
namespace {

/// Edges up to which sorting is quicker than counting in a table of all entities.
constexpr std::size_t few_edges = 64;

}  // namespace

ConstantCounter::ConstantCounter(const ConstantTables& tables)
    : tables_(tables), ends_(tables.graph().operators()), counts_(tables.graph().entities()) {}

void ConstantCounter::start(std::span<const ConstantTables::Keep> choices) {
  choices_.assign(choices.begin(), choices.end());
  kept_.assign(choices.size(), 0);
  rows_ = {};
  entries_ = {};
}

template <class Action>
void ConstantCounter::for_each_edge(std::span<const Edge> members, Action&& action) const {
  for (const Edge& member : members) {
    if (!tables_.is_example(member.target)) continue;
    for (const Edge& edge : tables_.graph().edges(member.target)) action(edge);
  }
}

void ConstantCounter::add(std::uint32_t trait, std::span<const Edge> members) {
  std::size_t edges = 0;
  for (const Edge& member : members) {
    if (tables_.is_example(member.target)) edges += tables_.graph().edges(member.target).size();
    if (edges > few_edges) return add_many(trait, members);
  }
  add_few(trait, members);
}

void ConstantCounter::add_few(std::uint32_t trait, std::span<const Edge> members) {
  keys_.clear();
  for_each_edge(members, [&](const Edge& edge) {
    keys_.push_back(std::uint64_t{edge.op} << 32U | edge.target);
  });
  std::sort(keys_.begin(), keys_.end());
  for (std::size_t at = 0; at < keys_.size();) {
    const auto target = static_cast<OperatorId>(keys_[at] >> 32U);
    counted_.clear();
    while (at < keys_.size() && keys_[at] >> 32U == target) {
      const std::size_t first = at;
      while (at < keys_.size() && keys_[at] == keys_[first]) ++at;
      counted_.push_back(
          {static_cast<EntityId>(keys_[first]), static_cast<std::uint32_t>(at - first)});
    }
    finish(trait, target);
  }
}

void ConstantCounter::add_many(std::uint32_t trait, std::span<const Edge> members) {
  targets_.clear();
  for_each_edge(members, [&](const Edge& edge) {
    if (ends_[edge.op]++ == 0) targets_.push_back(edge.op);
  });
  std::sort(targets_.begin(), targets_.end());
  std::size_t total = 0;
  for (const OperatorId target : targets_) total += std::exchange(ends_[target], total);
  answers_.resize(total);
  for_each_edge(members, [&](const Edge& edge) { answers_[ends_[edge.op]++] = edge.target; });
  std::size_t begin = 0;
  for (const OperatorId target : targets_) {
    const std::size_t end = std::exchange(ends_[target], 0);
    counted_.clear();
    for (; begin < end; ++begin) {
      if (counts_[answers_[begin]]++ == 0) counted_.push_back({answers_[begin], 0});
    }
    for (ConstantTables::Entry& entry : counted_)
      entry.count = std::exchange(counts_[entry.answer], 0U);
    finish(trait, target);
  }
}

void ConstantCounter::finish(std::uint32_t trait, OperatorId target) {
  if (choices_.size() > 1) return tally();
  std::uint32_t least = choices_.front().least;
  if (const std::size_t most = choices_.front().answers; counted_.size() > most) {
    ranked_.clear();
    for (const auto& entry : counted_) ranked_.push_back(entry.count);
    const auto first_out = ranked_.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(ranked_.begin(), first_out, ranked_.end(), std::greater<>());
    least = std::max(least, *first_out + 1);
  }
  const std::size_t first = entries_.size();
  for (const auto& entry : counted_) {
    if (entry.count >= least) entries_.push_back(entry);
  }
  const std::size_t size = entries_.size() - first;
  if (size == 0) return;
  std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(first), entries_.end(),
            [](const auto& a, const auto& b) { return a.answer < b.answer; });
  rows_.push_back(
      {target,
       {trait, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(size), least}});
  kept_.front() += size;
}

void ConstantCounter::tally() {
  ranked_.clear();
  for (const auto& entry : counted_) ranked_.push_back(entry.count);
  std::sort(ranked_.begin(), ranked_.end(), std::greater<>());
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    const auto& [most, floor] = choices_[i];
    if (floor > ranked_.front()) break;  // those to come are no lower
    const std::uint32_t least = ranked_.size() > most ? std::max(floor, ranked_[most] + 1) : floor;
    const auto end = std::partition_point(ranked_.begin(), ranked_.end(),
                                          [&](std::uint32_t count) { return count >= least; });
    kept_[i] += static_cast<std::size_t>(end - ranked_.begin());
  }
}

}  // namespace lerpp
