// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>

#include "model/log_table.hpp"
#include "model/prior_classes.hpp"

namespace lerpp {

/// The two numbers of a rule of a list, or a slope or step of them.
struct ListWeights {
  float once = 0;
  float more = 0;

  float of(std::uint32_t groundings) const {
    return once + more * static_cast<float>(log_of_count(groundings));
  }
};

/// What the rules "y takes part in r" come to on a graph. Their share of a softmax is found once
/// for all entities, and then only corrected for the few that a question leads to.
class PriorMass {
 public:
  using Feature = PriorClasses::Feature;
  /// A sum over what entities take part in.
  struct Sum {
    double once = 0;
    double more = 0;
  };

  explicit PriorMass(std::shared_ptr<const PriorClasses> classes);

  /// Takes the weights, one for each operator.
  void weigh(std::span<const ListWeights> weights);
  /// What the rules add to the score of an entity that takes part in this.
  float score(std::span<const Feature> features) const;
  float score(EntityId entity) const { return scores_[class_of(entity)]; }
  /// The exponential of a score, all of them divided by the largest.
  double mass(EntityId entity) const { return masses_[class_of(entity)]; }
  double all() const { return all_; }
  /// The score of a mass.
  double score_of(double mass) const;
  /// The sum over all entities of mass times a slope of their score, by operator.
  std::vector<Sum> gradient() const;
  /// The sum over all entities of mass times value(number of a feature), by operator. Features are
  /// numbered through all classes.
  template <class Value>
  std::vector<double> sums(const Value& value) const;

  std::size_t size() const { return classes_->size(); }
  std::span<const Feature> features(EntityId entity) const {
    return classes_->features(class_of(entity));
  }
  /// The number of the first feature of an entity.
  std::size_t first_feature(EntityId entity) const { return number_of(class_of(entity)); }
  std::span<const Feature> all_features() const;

 private:
  std::size_t class_of(EntityId entity) const { return classes_->of_entities()[entity]; }
  std::size_t number_of(std::size_t index) const {
    return static_cast<std::size_t>(classes_->features(index).data() - all_features().data());
  }

  std::shared_ptr<const PriorClasses> classes_;
  std::vector<double> members_;  ///< of each class
  std::vector<ListWeights> weights_;
  std::vector<float> scores_;  ///< of each class
  std::vector<double> masses_;
  double largest_ = 0;
  double all_ = 0;
};

template <class Value>
std::vector<double> PriorMass::sums(const Value& value) const {
  std::vector<double> sums(weights_.size());
  std::size_t number = 0;
  for (std::size_t index = 0; index < classes_->size(); ++index) {
    const double mass = members_[index] * masses_[index];
    for (const Feature& feature : classes_->features(index))
      sums[feature.op] += mass * value(number++);
  }
  return sums;
}

}  // namespace lerpp
