// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/logic/rule.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// What one query teaches: the entities whose scores should move, and d loss / d score of each.
template <class Real>
struct Lesson {
  EntityId start = 0;
  EntityId answer = 0;
  std::span<const EntityId> entities;
  std::span<const Real> gradient;
};

/// One reason that a term has for or against an answer.
struct TermReason {
  std::uint32_t number = 0;          ///< of the statement, among the term's own
  std::optional<EntityId> constant;  ///< that it is about, where it is about one
  std::uint32_t count = 0;           ///< how often it holds of the answer
  std::uint32_t body = 0;            ///< of how many, where that means something
  double contribution = 0;           ///< what the score owes to it
};

/// Evidence besides the rules for the questions of one target: adds to the scores of the entities,
/// and learns from their gradient. begin() comes first; then several workers may ask at once, each
/// with a scratch of its own, and a worker's learn() follows its add() of the same query.
template <class Real>
class Term {
 public:
  /// What a worker needs while it asks: it serves all terms of one kind on one graph.
  struct Scratch {
    virtual ~Scratch() = default;
  };

  Term() = default;
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;
  virtual ~Term() = default;

  virtual std::unique_ptr<Scratch> make_scratch() const = 0;
  /// Takes the parameters of a target. Hidden facts count nowhere; there may be no mask.
  virtual void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) = 0;
  /// Adds to the score of every entity.
  virtual void add(Scratch& scratch, EntityId start, std::span<Real> scores) const = 0;
  /// Adds what a lesson means for the term's part of the target to `sums`, which are laid out as
  /// that.
  virtual void learn(Scratch& scratch, const Lesson<Real>& lesson, std::span<Real> sums) const = 0;

  /// What speaks for and against an answer.
  virtual std::vector<TermReason> explain(Scratch& scratch, EntityId start,
                                          EntityId answer) const = 0;
  /// A reason as a rule.
  virtual Rule rule_of(const TermReason& reason) const = 0;
  /// A statement as a rule, whatever the constant is.
  virtual Rule statement(std::uint32_t number) const = 0;
};

}  // namespace lerpp
