// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/background.hpp"
#include "model/buffer.hpp"
#include "model/log_table.hpp"
#include "model/operator_slots.hpp"
#include "model/term.hpp"

namespace lerpp {

/// What an answer takes part in speaks for or against it, whether or not a rule reaches it:
///
///     score(y) += sum over the operators of y of  v_op + u_op log(1 + how often)
template <class Real>
class PriorTerm final : public Term<Real> {
 public:
  using Scratch = typename Term<Real>::Scratch;

  /// The graph must outlive the term.
  PriorTerm(const Graph& graph, std::shared_ptr<const PriorClasses> classes)
      : graph_(graph), classes_(std::move(classes)) {}

  static std::unique_ptr<Term<Real>> make(const Background& background) {
    if (background.classes == nullptr) return nullptr;
    return std::make_unique<PriorTerm>(background.graph(), background.classes);
  }

  std::unique_ptr<Scratch> make_scratch() const override;
  void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) override;
  void add(Scratch& scratch, EntityId start, std::span<Real> scores) const override;
  void learn(Scratch& scratch, const Lesson<Real>& lesson, std::span<Real> sums) const override;

  /// Statements are numbered by operators.
  std::vector<TermReason> explain(Scratch& scratch, EntityId start, EntityId answer) const override;
  Rule rule_of(const TermReason& reason) const override { return statement(reason.number); }
  Rule statement(std::uint32_t number) const override;

 private:
  using Feature = PriorClasses::Feature;
  std::span<const Feature> features(EntityId entity, std::vector<Feature>& buffer) const;
  Real value(const Feature& feature) const {
    const std::size_t slot = slots_[feature.op];
    if (slot == OperatorSlots::none) return 0;
    return weights_[2 * slot] +
           weights_[2 * slot + 1] * static_cast<Real>(log_of_count(feature.times));
  }
  Real value(std::span<const Feature> features) const;

  const Graph& graph_;
  std::shared_ptr<const PriorClasses> classes_;
  const Mask* mask_ = nullptr;
  OperatorId target_ = 0;
  OperatorSlots slots_;
  std::span<const Real> weights_;
  Buffer<Real> of_class_, of_entity_;
};

}  // namespace lerpp
