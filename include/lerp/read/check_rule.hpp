// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/read/rules.hpp>

namespace lerpp {

/// How a rule that somebody has written fares on what is known.
struct CheckedRule {
  Rule rule;             ///< simplified, from the subject of its head to the object
  Support support = {};  ///< masked, over pairs of different entities
  double counted = 1;    ///< share of the x that were counted; the counts are theirs
  std::vector<RuleExample> examples = {};    ///< pairs that it is right about
  std::vector<RuleExample> exceptions = {};  ///< pairs of its body that the graph does not know
};

/// Counts in so many steps, beyond which starts are sampled, and looks for so many examples of
/// each kind.
Result<CheckedRule> check_rule(const Rule& rule, const KnownGraph& known, std::uint32_t examples,
                               double work = 3e6, const Observer& observer = {});
Json to_json(const CheckedRule& checked, const Dataset& dataset);

}  // namespace lerpp
