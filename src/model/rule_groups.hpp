// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "model/rule_walk.hpp"

namespace lerpp {

/// What the groups of a list come to where a question leads. The rules of a group share one
/// logarithm: at an entity to which they have n_1, n_2, … groundings they are worth
///
///     weight * log(1 + amount_1 n_1 + amount_2 n_2 + …)
class GroupSums {
 public:
  using Finding = RuleWalk::Finding;

  struct Sum {
    EntityId entity = 0;
    float sum = 0;  ///< of amount times groundings
  };
  /// One group that reaches something.
  struct Group {
    std::uint32_t number = 0;
    std::span<const Finding* const> findings;
    std::span<const Sum> sums;
  };

  explicit GroupSums(std::size_t entities) : of_entity_(entities) {}

  /// Sums up the findings of a walk or a table. `group_of(rule)` is 0 where a rule is in none.
  template <class Source, class GroupOf, class AmountOf>
  void find(const Source& source, std::span<const Finding> findings, const GroupOf& group_of,
            const AmountOf& amount_of);

  std::size_t size() const { return places_.size(); }
  Group operator[](std::size_t index) const;
  /// One number for each entity, for who goes through a group; 0 before and after.
  std::vector<float>& of_entity() { return of_entity_; }

 private:
  struct Place {
    std::uint32_t number = 0;
    std::size_t findings = 0;  ///< where they end
    std::size_t sums = 0;      ///< where they end
  };

  std::vector<std::pair<std::uint32_t, const Finding*>> order_;
  std::vector<const Finding*> findings_;
  std::vector<Sum> sums_;
  std::vector<Place> places_;
  std::vector<float> of_entity_;
};

template <class Source, class GroupOf, class AmountOf>
void GroupSums::find(const Source& source, std::span<const Finding> findings,
                     const GroupOf& group_of, const AmountOf& amount_of) {
  order_.clear();
  findings_.clear();
  sums_.clear();
  places_.clear();
  for (const Finding& found : findings) {
    const std::uint32_t group = group_of(found.rule);
    if (group != 0) order_.emplace_back(group, &found);
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < order_.size();) {
    const std::uint32_t group = order_[i].first;
    const std::size_t first = sums_.size();
    for (; i < order_.size() && order_[i].first == group; ++i) {
      const Finding& found = *order_[i].second;
      const float amount = amount_of(found.rule);
      const std::span<const EntityId> entities = source.entities(found);
      const std::span<const std::uint16_t> counts = source.counts(found);
      for (std::size_t at = 0; at < entities.size(); ++at) {
        float& sum = of_entity_[entities[at]];
        if (sum == 0) sums_.push_back({entities[at]});
        sum += amount * static_cast<float>(counts[at]);
      }
      findings_.push_back(&found);
    }
    for (std::size_t at = first; at < sums_.size(); ++at)
      sums_[at].sum = std::exchange(of_entity_[sums_[at].entity], 0.0F);
    places_.push_back({group, findings_.size(), sums_.size()});
  }
}

inline GroupSums::Group GroupSums::operator[](std::size_t index) const {
  const Place before = index == 0 ? Place{} : places_[index - 1];
  const Place& place = places_[index];
  return {place.number,
          {findings_.data() + before.findings, findings_.data() + place.findings},
          {sums_.data() + before.sums, sums_.data() + place.sums}};
}

}  // namespace lerpp
