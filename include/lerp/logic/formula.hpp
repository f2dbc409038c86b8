// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// A tree-like logical function of one entity e: what holds of e's neighbourhood. An immutable
/// value; copies share their nodes.
class Formula {
 public:
  enum class Kind : std::uint8_t {
    truth,
    falsity,
    constant,     ///< op(e, c) for one entity c
    exists,       ///< some z has op(e, z) and the inner formula
    negation,     ///< of the inner formula
    conjunction,  ///< of two or more
    disjunction,  ///< of two or more
  };

  /// True of every entity.
  Formula();
  static Formula truth() { return {}; }
  static Formula falsity();
  /// Operators lead away from the entity: op = r asks for r(e, c), op = R + r for r(c, e).
  static Formula constant(OperatorId op, EntityId entity);
  static Formula exists(OperatorId op, const Formula& inner = truth());
  static Formula negation(const Formula& inner);
  /// Of none it is true, of one it is that one.
  static Formula conjunction(std::vector<Formula> parts);
  /// Of none it is false, of one it is that one.
  static Formula disjunction(std::vector<Formula> parts);

  Kind kind() const;
  bool is(Kind kind_) const { return kind() == kind_; }
  /// Of a constant test or an existence.
  OperatorId op() const;
  /// Of a constant test.
  EntityId entity() const;
  /// Of an existence or a negation.
  const Formula& inner() const;
  /// All direct subformulas, in order.
  const std::vector<Formula>& parts() const;

  /// Nodes, a shared one counted each time it is used; at most 2^64 - 1.
  std::uint64_t size() const;
  std::size_t depth() const;
  std::size_t hash() const;

  /// By structure: the order of parts matters, see simplify for more.
  friend bool operator==(const Formula& left, const Formula& right);
  friend std::strong_ordering operator<=>(const Formula& left, const Formula& right);

 private:
  struct Node;
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static Formula make(Kind kind, OperatorId op, EntityId entity, std::vector<Formula> parts);

  std::shared_ptr<const Node> node_;
};

}  // namespace lerpp

template <>
struct std::hash<lerpp::Formula> {
  std::size_t operator()(const lerpp::Formula& formula) const { return formula.hash(); }
};
