// SPDX-License-Identifier: Apache-2.0
#include "model/path_reach.hpp"

#include <bit>

namespace lerpp {
namespace {

constexpr EntityId most_entities = 1024;
/// Each thread has its own sets, and they are to stay in its cache.
constexpr std::size_t most_words = std::size_t{1} << 19U;

/// Without the instruction, which not every processor has, the library's is a call.
std::size_t ones(std::uint64_t word) {
  word -= word >> 1U & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + (word >> 2U & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return word * 0x0101010101010101U >> 56U;
}

std::size_t words_for(const Graph& graph) {
  return (std::size_t{graph.entities()} + 63) / 64;
}

}  // namespace

bool PathReach::fits(const OperatorRows& rows) {
  const Graph& graph = rows.graph();
  if (graph.entities() > most_entities) return false;
  std::size_t runs = 0;
  for (EntityId entity = 0; entity < graph.entities(); ++entity) runs += rows[entity].size();
  return runs * words_for(graph) <= most_words;
}

PathReach::PathReach(const OperatorRows& rows, std::size_t most)
    : words_(words_for(rows.graph())),
      most_(most),
      relations_(rows.graph().relations()),
      start_(words_) {
  const Graph& graph = rows.graph();
  firsts_.reserve(graph.entities() + std::size_t{1});
  for (EntityId entity = 0; entity < graph.entities(); ++entity) {
    const OperatorRow row = rows[entity];
    firsts_.push_back(static_cast<std::uint32_t>(runs_.size()));
    for (std::size_t run = 0; run < row.size(); ++run) {
      runs_.push_back({row.op(run), static_cast<std::uint32_t>(sets_.size())});
      sets_.resize(sets_.size() + words_);
      for (const EntityId target : row.targets(run))
        sets_[runs_.back().set + target / 64] |= std::uint64_t{1} << (target % 64);
    }
  }
  firsts_.push_back(static_cast<std::uint32_t>(runs_.size()));
  for (Level& level : levels_) level.child_of.assign(graph.operators(), no_child);
  listed_.resize(graph.entities());
}

void PathReach::flip(EntityId from, OperatorId op, EntityId to) {
  for (const Run& run : runs(from)) {
    if (run.op == op) sets_[run.set + to / 64] ^= std::uint64_t{1} << (to % 64);
  }
}

template <std::size_t Words>
void PathReach::follow(EntityId entity, Level& level) const {
  const std::size_t words = Words > 0 ? Words : words_;
  for (const Run& run : runs(entity)) {
    const std::uint32_t child = level.child_of[run.op];
    if (child == no_child) continue;
    std::uint64_t* to = level.sets.data() + child * words;
    const std::uint64_t* from = sets_.data() + run.set;
    for (std::size_t word = 0; word < words; ++word) to[word] |= from[word];
  }
}

template <std::size_t Words>
void PathReach::expand(const PathTrie::Node& node, std::size_t depth, const std::uint64_t* set,
                       float share) {
  const std::size_t words = Words > 0 ? Words : words_;
  Level& level = levels_[depth];
  const std::span<const OperatorId> children = trie_->operators(node);
  level.sets.assign(children.size() * words, 0);
  for (std::uint32_t child = 0; child < children.size(); ++child)
    level.child_of[children[child]] = child;
  const std::size_t size = list(set);
  const std::size_t followed = most_ > 0 ? std::min(size, most_) : size;
  for (std::size_t i = 0; i < followed; ++i)
    follow<Words>(listed_[followed == size ? i : i * size / followed], level);
  for (const OperatorId op : children) level.child_of[op] = no_child;
  if (followed < size) share *= static_cast<float>(followed) / static_cast<float>(size);
  for (std::uint32_t child = 0; child < children.size(); ++child) {
    const std::uint64_t* reached = level.sets.data() + child * words;
    std::size_t count = 0;
    for (std::size_t word = 0; word < words; ++word) count += ones(reached[word]);
    if (count == 0) continue;
    const PathTrie::Node& next = trie_->node(node.first + child);
    if (next.path != PathTrie::none) findings_.push_back({next.path, count, share});
    if (next.first < next.last) expand<Words>(next, depth + 1, reached, share);
  }
}

std::span<const PathReach::Finding> PathReach::walk(const PathTrie& trie, EntityId start,
                                                    const Fact& hidden) {
  trie_ = &trie;
  findings_.clear();
  const auto flip_hidden = [&] {
    flip(hidden.subject, hidden.relation, hidden.object);
    flip(hidden.object, relations_ + hidden.relation, hidden.subject);
  };
  flip_hidden();
  start_[start / 64] = std::uint64_t{1} << (start % 64);
  switch (words_) {
    case 1:
      expand<1>(trie.node(0), 0, start_.data(), 1);
      break;
    case 2:
      expand<2>(trie.node(0), 0, start_.data(), 1);
      break;
    case 3:
      expand<3>(trie.node(0), 0, start_.data(), 1);
      break;
    case 4:
      expand<4>(trie.node(0), 0, start_.data(), 1);
      break;
    default:
      expand<0>(trie.node(0), 0, start_.data(), 1);
  }
  start_[start / 64] = 0;
  flip_hidden();
  return findings_;
}

std::size_t PathReach::list(const std::uint64_t* set) {
  std::size_t size = 0;
  for (std::size_t at = 0; at < words_; ++at) {
    for (std::uint64_t word = set[at]; word != 0; word &= word - 1)
      listed_[size++] = static_cast<EntityId>(64 * at) + std::countr_zero(word);
  }
  return size;
}

}  // namespace lerpp
