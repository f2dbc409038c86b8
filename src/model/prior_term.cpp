// SPDX-License-Identifier: Apache-2.0
#include "model/prior_term.hpp"

#include <algorithm>

#include "model/real.hpp"

namespace lerpp {
namespace {

using Feature = PriorClasses::Feature;

template <class Real>
struct PriorScratch final : Term<Real>::Scratch {
  std::vector<double> sums;  ///< of a lesson: many small numbers
  std::vector<Feature> buffer;
};

}  // namespace

template <class Real>
std::span<const Feature> PriorTerm<Real>::features(EntityId entity,
                                                   std::vector<Feature>& buffer) const {
  const std::span<const Feature> all = classes_->features(classes_->of_entities()[entity]);
  if (mask_ == nullptr || !mask_->touches(entity)) return all;
  buffer.assign(all.begin(), all.end());
  const std::span<const std::size_t> hidden = mask_->places();
  std::size_t end = graph_.start(entity);
  auto next = std::lower_bound(hidden.begin(), hidden.end(), end);
  for (Feature& feature : buffer) {
    end += feature.times;
    for (; next != hidden.end() && *next < end; ++next) --feature.times;
  }
  std::erase_if(buffer, [](const Feature& feature) { return feature.times == 0; });
  return buffer;
}

template <class Real>
Real PriorTerm<Real>::value(std::span<const Feature> features) const {
  Real sum = 0;
  for (const Feature& feature : features) sum += value(feature);
  return sum;
}

template <class Real>
void PriorTerm<Real>::begin(const Parameters<Real>& parameters, OperatorId target,
                            const Mask* mask) {
  target_ = target;
  mask_ = mask;
  slots_.take(parameters.operators(target), parameters.shape().operators());
  weights_ = parameters.of(Part::prior, target);
  const std::span<const std::uint32_t> classes = classes_->of_entities();
  of_entity_.resize(classes.size());
  if (2 * classes_->size() > classes.size()) {
    // Hardly two are alike, as on a large graph: an array for the classes would be for nothing.
    for (std::size_t entity = 0; entity < classes.size(); ++entity)
      of_entity_[entity] = value(classes_->features(classes[entity]));
  } else {
    of_class_.resize(classes_->size());
    for (std::size_t number = 0; number < of_class_.size(); ++number)
      of_class_[number] = value(classes_->features(number));
    for (std::size_t entity = 0; entity < classes.size(); ++entity)
      of_entity_[entity] = of_class_[classes[entity]];
  }
  if (mask_ == nullptr) return;
  std::vector<Feature> buffer;
  for (const EntityId entity : mask_->entities())
    of_entity_[entity] = value(features(entity, buffer));
}

template <class Real>
auto PriorTerm<Real>::make_scratch() const -> std::unique_ptr<Scratch> {
  return std::make_unique<PriorScratch<Real>>();
}

template <class Real>
void PriorTerm<Real>::add(Scratch& /*scratch*/, EntityId /*start*/, std::span<Real> scores) const {
  for (std::size_t entity = 0; entity < scores.size(); ++entity)
    scores[entity] += of_entity_[entity];
}

template <class Real>
void PriorTerm<Real>::learn(Scratch& scratch, const Lesson<Real>& lesson,
                            std::span<Real> sums) const {
  auto& space = static_cast<PriorScratch<Real>&>(scratch);
  std::vector<double>& own = space.sums;
  own.assign(sums.size(), 0);
  for (std::size_t i = 0; i < lesson.entities.size(); ++i) {
    const auto d = static_cast<double>(lesson.gradient[i]);
    for (const auto& [op, times] : features(lesson.entities[i], space.buffer)) {
      const std::size_t slot = slots_[op];
      if (slot == OperatorSlots::none) continue;
      own[2 * slot] += d;
      own[2 * slot + 1] += d * log_of_count(times);
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<Real>(own[i]);
}

template <class Real>
std::vector<TermReason> PriorTerm<Real>::explain(Scratch& scratch, EntityId /*start*/,
                                                 EntityId answer) const {
  std::vector<TermReason> reasons;
  for (const Feature& feature :
       features(answer, static_cast<PriorScratch<Real>&>(scratch).buffer)) {
    // Where it is not learned most weights are 0, and say nothing.
    const auto said = static_cast<double>(value(feature));
    if (said != 0) reasons.push_back({feature.op, {}, feature.times, 0, said});
  }
  return reasons;
}

template <class Real>
Rule PriorTerm<Real>::statement(std::uint32_t number) const {
  return pair_rule(target_, Formula::truth(), Formula::exists(number));
}

template class PriorTerm<LERP_REAL>;

}  // namespace lerpp
