// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/logic/rule.hpp>
#include <lerp/model/known_graph.hpp>

namespace lerpp {

/// Rules of the same head that find pairs which a rule finds.
struct RuleOverlap {
  struct Other {
    Rule rule;
    std::uint64_t pairs = 0;   ///< that it finds
    std::uint64_t own = 0;     ///< that the rule itself finds, from the same starts
    std::uint64_t common = 0;  ///< that both find
    double counted = 1;        ///< share of the starts

    double share_of_own() const { return share(common, own); }
    double share_of_other() const { return share(common, pairs); }
    /// Of what either finds, what both find.
    double likeness() const { return share(common, own + pairs - common); }

   private:
    static double share(std::uint64_t part, std::uint64_t whole) {
      return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
    }
  };

  Rule rule;  ///< from the subject of its head to the object
  std::uint64_t pairs = 0;
  double counted = 1;
  std::vector<Other> others = {};  ///< those with a pair in common, the most alike first
};

/// Compares pairs of different entities on what is known, of rules with the same relation in the
/// head; others are left out, and so is the rule itself. Each rule is followed in so many steps;
/// beyond, starts are sampled.
Result<RuleOverlap> rule_overlap(const Rule& rule, std::span<const Rule> others,
                                 const KnownGraph& known, double work = 3e6,
                                 const Observer& observer = {});
/// With the first `top` of the others.
Json to_json(const RuleOverlap& overlap, const Dataset& dataset, std::size_t top);

}  // namespace lerpp
