// SPDX-License-Identifier: Apache-2.0
#include "distill/prior_mass.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {

PriorMass::PriorMass(std::shared_ptr<const PriorClasses> classes)
    : classes_(std::move(classes)),
      members_(classes_->size()),
      scores_(classes_->size()),
      masses_(classes_->size()) {
  for (const std::uint32_t index : classes_->of_entities()) members_[index] += 1;
}

void PriorMass::weigh(std::span<const ListWeights> weights) {
  weights_.assign(weights.begin(), weights.end());
  for (std::size_t index = 0; index < scores_.size(); ++index)
    scores_[index] = score(classes_->features(index));
  largest_ = scores_.empty() ? 0 : double{*std::max_element(scores_.begin(), scores_.end())};
  all_ = 0;
  for (std::size_t index = 0; index < scores_.size(); ++index) {
    masses_[index] = std::exp(double{scores_[index]} - largest_);
    all_ += members_[index] * masses_[index];
  }
}

float PriorMass::score(std::span<const Feature> features) const {
  float sum = 0;
  for (const auto& [op, times] : features) sum += weights_[op].of(times);
  return sum;
}

double PriorMass::score_of(double mass) const {
  return std::log(mass) + largest_;
}

std::vector<PriorMass::Sum> PriorMass::gradient() const {
  std::vector<Sum> sums(weights_.size());
  for (std::size_t index = 0; index < classes_->size(); ++index) {
    const double mass = members_[index] * masses_[index];
    for (const auto& [op, times] : classes_->features(index)) {
      sums[op].once += mass;
      sums[op].more += mass * log_of_count(times);
    }
  }
  return sums;
}

std::span<const PriorMass::Feature> PriorMass::all_features() const {
  if (classes_->size() == 0) return {};
  const Feature* const first = classes_->features(0).data();
  const std::span<const Feature> last = classes_->features(classes_->size() - 1);
  return {first, last.data() + last.size()};
}

}  // namespace lerpp
