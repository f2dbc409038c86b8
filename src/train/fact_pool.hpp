// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/fact.hpp>

#include "base/random.hpp"

namespace lerpp {

/// The facts of each relation, or a random choice of them where there are too many.
class FactPool {
 public:
  /// `most` of each relation; 0 is all.
  FactPool(RelationId relations, std::uint64_t most, std::uint64_t seed)
      : most_(most), random_(seed, pool_stream), of_relation_(most > 0 ? relations : 0) {}

  void add(const Fact& fact) {
    if (most_ == 0) {
      all_.push_back(fact);
      return;
    }
    // Reservoir sampling: the n-th fact takes the place of another with probability most / n.
    auto& [seen, kept] = of_relation_[fact.relation];
    if (++seen <= most_) {
      kept.push_back(fact);
    } else if (const std::uint64_t place = random_.below(seen); place < most_) {
      kept[place] = fact;
    }
  }

  /// In the order in which they came where all are kept, and else relation by relation.
  std::vector<Fact> take() {
    for (const Some& some : of_relation_)
      all_.insert(all_.end(), some.kept.begin(), some.kept.end());
    return std::move(all_);
  }

 private:
  static constexpr std::uint64_t pool_stream = 2;
  struct Some {
    std::uint64_t seen = 0;
    std::vector<Fact> kept;
  };

  std::uint64_t most_;
  Random random_;
  std::vector<Fact> all_;
  std::vector<Some> of_relation_;
};

}  // namespace lerpp
