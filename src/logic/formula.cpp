// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <limits>

#include <lerp/logic/formula.hpp>

namespace lerpp {
namespace {

std::size_t mix(std::size_t hash, std::size_t value) {
  // Multiply, then bring the high bits down: parts in another order give another hash.
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32U);
}

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

}  // namespace

struct Formula::Node {
  Kind kind = Kind::truth;
  OperatorId op = 0;
  EntityId entity = 0;
  std::vector<Formula> parts;
  std::uint64_t size = 1;
  std::size_t depth = 1;
  std::size_t hash = 0;
};

Formula Formula::make(Kind kind, OperatorId op, EntityId entity, std::vector<Formula> parts) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->op = op;
  node->entity = entity;
  node->parts = std::move(parts);
  node->hash = mix(mix(mix(1, static_cast<std::size_t>(kind)), op), entity);
  for (const Formula& part : node->parts) {
    node->size = saturating_sum(node->size, part.size());
    node->depth = std::max(node->depth, part.depth() + 1);
    node->hash = mix(node->hash, part.hash());
  }
  return Formula(std::move(node));
}

Formula::Formula() {
  static const Formula shared = make(Kind::truth, 0, 0, {});
  node_ = shared.node_;
}

Formula Formula::falsity() {
  static const Formula shared = make(Kind::falsity, 0, 0, {});
  return shared;
}

Formula Formula::constant(OperatorId op, EntityId entity) {
  return make(Kind::constant, op, entity, {});
}

Formula Formula::exists(OperatorId op, const Formula& inner) {
  return make(Kind::exists, op, 0, {inner});
}

Formula Formula::negation(const Formula& inner) {
  return make(Kind::negation, 0, 0, {inner});
}

Formula Formula::conjunction(std::vector<Formula> parts) {
  if (parts.empty()) return truth();
  if (parts.size() == 1) return parts.front();
  return make(Kind::conjunction, 0, 0, std::move(parts));
}

Formula Formula::disjunction(std::vector<Formula> parts) {
  if (parts.empty()) return falsity();
  if (parts.size() == 1) return parts.front();
  return make(Kind::disjunction, 0, 0, std::move(parts));
}

Formula::Kind Formula::kind() const {
  return node_->kind;
}

OperatorId Formula::op() const {
  assert(is(Kind::constant) || is(Kind::exists));
  return node_->op;
}

EntityId Formula::entity() const {
  assert(is(Kind::constant));
  return node_->entity;
}

const Formula& Formula::inner() const {
  assert(is(Kind::exists) || is(Kind::negation));
  return node_->parts.front();
}

const std::vector<Formula>& Formula::parts() const {
  return node_->parts;
}

std::uint64_t Formula::size() const {
  return node_->size;
}

std::size_t Formula::depth() const {
  return node_->depth;
}

std::size_t Formula::hash() const {
  return node_->hash;
}

bool operator==(const Formula& left, const Formula& right) {
  // Nodes are shared and carry their hash: most comparisons end here.
  if (left.node_ == right.node_) return true;
  if (left.hash() != right.hash()) return false;
  return (left <=> right) == std::strong_ordering::equal;
}

std::strong_ordering operator<=>(const Formula& left, const Formula& right) {
  if (left.node_ == right.node_) return std::strong_ordering::equal;
  const Formula::Node& a = *left.node_;
  const Formula::Node& b = *right.node_;
  if (const auto order = a.kind <=> b.kind; order != 0) return order;
  if (const auto order = a.op <=> b.op; order != 0) return order;
  if (const auto order = a.entity <=> b.entity; order != 0) return order;
  return std::lexicographical_compare_three_way(a.parts.begin(), a.parts.end(), b.parts.begin(),
                                                b.parts.end());
}

}  // namespace lerpp
