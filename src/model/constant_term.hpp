// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/background.hpp"
#include "model/constant_counts.hpp"
#include "model/operator_slots.hpp"
#include "model/term.hpp"

namespace lerpp {

/// Evidence of rules with constants: r(x, c) speaks for the answers that others with r(x', c) have.
/// Of `body` such others `count` have y; at large, y is the answer of a share p. For each r:
///
///     score(y) += v_r * sum over c of lift + u_r * 10 * max over c of confidence
///     lift       = log(1 + count / (d p))
///     confidence = count / (body + s)
///
/// The lift is that of naive Bayes, log((count + d p) / ((body + d) p)), without what all y share;
/// y = c is left to the rules.
///
/// The start is nobody's example and hidden facts count nowhere, exactly. Of a trait with many
/// answers only the most frequent say anything.
template <class Real>
class ConstantTerm final : public Term<Real> {
 public:
  using Scratch = typename Term<Real>::Scratch;

  explicit ConstantTerm(std::shared_ptr<const ConstantTables> tables)
      : counts_(std::move(tables)) {}

  static std::unique_ptr<Term<Real>> make(const Background& background) {
    if (background.constants == nullptr) return nullptr;
    return std::make_unique<ConstantTerm>(background.constants);
  }

  std::unique_ptr<Scratch> make_scratch() const override;
  void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) override;
  void add(Scratch& scratch, EntityId start, std::span<Real> scores) const override;
  void learn(Scratch& scratch, const Lesson<Real>& lesson, std::span<Real> sums) const override;

  /// Statements are numbered by operators; the strongest reason comes first.
  std::vector<TermReason> explain(Scratch& scratch, EntityId start, EntityId answer) const override;
  /// r(x, c) => q(x, y)
  Rule rule_of(const TermReason& reason) const override;
  /// What others with the same r(x, c) answer, whatever c is.
  Rule statement(std::uint32_t number) const override;

 private:
  struct Space;
  struct Said {
    Real lift = 0;
    Real confidence = 0;
    std::uint32_t count = 0;  ///< 0 where nothing is said
  };

  Said weigh(const Space& own, const ConstantCounts::Trait& trait,
             const ConstantTables::Entry& entry) const;

  ConstantCounts counts_;
  OperatorId target_ = 0;
  OperatorSlots slots_;
  std::span<const Real> weights_;
};

}  // namespace lerpp
