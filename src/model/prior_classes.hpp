// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>

namespace lerpp {

/// What entities take part in, and how often. Entities that take part in the same things equally
/// often form a class. Found once, and read by all.
class PriorClasses {
 public:
  /// Incomplete where the observer asks to stop: the caller asks too.
  explicit PriorClasses(const Graph& graph, const Observer& observer = {});

  struct Feature {
    OperatorId op = 0;
    std::uint32_t times = 0;

    auto operator<=>(const Feature&) const = default;
  };

  std::size_t size() const { return starts_.size() - 1; }
  std::span<const std::uint32_t> of_entities() const { return of_entity_; }
  std::span<const Feature> features(std::size_t number) const {
    return {features_.data() + starts_[number], features_.data() + starts_[number + 1]};
  }

 private:
  std::vector<std::uint32_t> of_entity_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<Feature> features_;
};

}  // namespace lerpp
