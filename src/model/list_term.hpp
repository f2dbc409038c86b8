// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/background.hpp"
#include "model/list_index.hpp"
#include "model/term.hpp"

namespace lerpp {

/// Evidence of a list of discrete rules. It is written down once and not learned any more.
template <class Real>
class ListTerm final : public Term<Real> {
 public:
  using Scratch = typename Term<Real>::Scratch;

  explicit ListTerm(std::shared_ptr<const ListIndex> index) : index_(std::move(index)) {}

  static std::unique_ptr<Term<Real>> make(const Background& background) {
    return background.rules == nullptr ? nullptr : std::make_unique<ListTerm>(background.rules);
  }

  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<Walking>(*index_);
  }
  void begin(const Parameters<Real>& /*parameters*/, OperatorId target, const Mask* mask) override {
    target_ = target;
    mask_ = mask;
  }
  void add(Scratch& scratch, EntityId start, std::span<Real> scores) const override {
    index_->add(walker(scratch), {target_, start}, mask_, scores);
  }
  void learn(Scratch& /*scratch*/, const Lesson<Real>& /*lesson*/,
             std::span<Real> /*sums*/) const override {}

  /// Statements are numbered as the rules of the list.
  std::vector<TermReason> explain(Scratch& scratch, EntityId start,
                                  EntityId answer) const override {
    const auto shares = index_->reasons(walker(scratch), {target_, start}, answer, mask_);
    std::vector<TermReason> reasons;
    reasons.reserve(shares.size());
    for (const RuleShare& share : shares) {
      reasons.push_back(
          {static_cast<std::uint32_t>(share.rule), {}, share.groundings, 0, share.share});
    }
    return reasons;
  }
  Rule rule_of(const TermReason& reason) const override { return statement(reason.number); }
  Rule statement(std::uint32_t number) const override { return index_->list().rules[number].rule; }

 private:
  struct Walking : Scratch {
    explicit Walking(const ListIndex& index) : walker(index) {}
    ListIndex::Walker walker;
  };
  static ListIndex::Walker& walker(Scratch& scratch) {
    return static_cast<Walking&>(scratch).walker;
  }

  std::shared_ptr<const ListIndex> index_;
  OperatorId target_ = 0;
  const Mask* mask_ = nullptr;
};

}  // namespace lerpp
