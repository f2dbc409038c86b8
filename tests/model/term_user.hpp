// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/term.hpp"

namespace lerpp {

/// A term and what workers need to use it, as an engine has them: each worker has a scratch and
/// sums of its own.
template <class Kind, class Real>
class TermUser {
 public:
  TermUser(std::unique_ptr<Kind> term, Part part, unsigned workers)
      : term_(std::move(term)), part_(part), sums_(workers) {
    for (unsigned worker = 0; worker < workers; ++worker)
      scratches_.push_back(term_->make_scratch());
  }

  void begin(const Parameters<Real>& parameters, OperatorId target, const Mask* mask) {
    target_ = target;
    for (auto& sums : sums_) sums.assign(parameters.of(part_, target).size(), Real{0});
    term_->begin(parameters, target, mask);
  }
  void add(unsigned worker, EntityId start, std::span<Real> scores) {
    term_->add(*scratches_[worker], start, scores);
  }
  void learn(unsigned worker, const Lesson<Real>& lesson) {
    term_->learn(*scratches_[worker], lesson, sums_[worker]);
  }
  void finish(Parameters<Real>& gradient) const {
    for (const auto& sums : sums_) {
      for (std::size_t i = 0; i < sums.size(); ++i) gradient.of(part_, target_)[i] += sums[i];
    }
  }
  std::vector<TermReason> explain(unsigned worker, EntityId start, EntityId answer) {
    return term_->explain(*scratches_[worker], start, answer);
  }

 private:
  std::unique_ptr<Kind> term_;
  Part part_;
  OperatorId target_ = 0;
  std::vector<std::unique_ptr<typename Term<Real>::Scratch>> scratches_;
  std::vector<std::vector<Real>> sums_;
};

}  // namespace lerpp
