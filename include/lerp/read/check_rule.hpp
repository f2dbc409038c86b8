// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/read/rules.hpp>

namespace lerpp {

/// A pair of a rule's body that the graph does not know.
struct RuleException : RuleExample {
  /// What the graph knows in place of it, where the relation has as good as one object for each
  /// subject, or one subject for each object: the pair is likely to be wrong then.
  std::optional<Fact> otherwise = {};
};

/// How a rule that somebody has written fares on what is known.
struct CheckedRule {
  Rule rule;             ///< simplified, from the subject of its head to the object
  Support support = {};  ///< masked, over pairs of different entities
  double counted = 1;    ///< share of the x that were counted; the counts are theirs
  std::vector<RuleExample> examples = {};      ///< pairs that it is right about
  std::vector<RuleException> exceptions = {};  ///< those that speak against it first
};

/// Counts in so many steps, beyond which starts are sampled, and looks for so many examples of
/// each kind.
Result<CheckedRule> check_rule(const Rule& rule, const KnownGraph& known, std::uint32_t examples,
                               double work = 3e6, const Observer& observer = {});
Json to_json(const CheckedRule& checked, const Dataset& dataset);

}  // namespace lerpp
