// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/background.hpp"
#include "model/term.hpp"

namespace lerpp {

/// Evidence of discrete paths. With flow_p(x, y) the number of walks along p from x to y,
///
///     score(y) += sum over p of the target with flow_p(start, y) > 0 of w_p + u_p log(1 + flow_p)
///
/// where w and u are signed: a path may speak against an answer.
template <class Real>
class PathTerm final : public Term<Real> {
 public:
  using Scratch = typename Term<Real>::Scratch;

  explicit PathTerm(std::shared_ptr<const PathIndex> index);

  static std::unique_ptr<Term<Real>> make(const Background& background) {
    return background.walks == nullptr ? nullptr : std::make_unique<PathTerm>(background.walks);
  }

  std::unique_ptr<Scratch> make_scratch() const override;
  void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) override;
  void add(Scratch& scratch, EntityId start, std::span<Real> scores) const override;
  void learn(Scratch& scratch, const Lesson<Real>& lesson, std::span<Real> sums) const override;

  /// Statements are numbered as the paths of the target.
  std::vector<TermReason> explain(Scratch& scratch, EntityId start, EntityId answer) const override;
  Rule rule_of(const TermReason& reason) const override { return statement(reason.number); }
  Rule statement(std::uint32_t number) const override;

 private:
  const PathWalk& walk_from(Scratch& scratch, EntityId start) const;

  std::shared_ptr<const PathIndex> index_;
  std::vector<Real> weights_;  ///< w and u of each path of the target
  OperatorId target_ = 0;
  const Mask* mask_ = nullptr;
  std::uint64_t round_ = 0;  ///< tells what was walked for this target and mask from before
};

}  // namespace lerpp
