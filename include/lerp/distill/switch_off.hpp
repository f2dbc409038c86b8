// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/eval/rank_changes.hpp>
#include <lerp/model/known_graph.hpp>
#include <lerp/model/rule_list.hpp>

namespace lerpp {

/// What becomes of a list's ranks without some of its rules. Exact: the other rules stay as they
/// are, and other relations are ranked as before.
struct SwitchedOff {
  std::size_t rules = 0;  ///< of the list that were left out
  std::size_t of_split =
      0;                ///< questions of the whole split, of which those of the changes are some
  RankChanges changes;  ///< of the questions about the relations of the rules

  /// What the MRR over the whole split gains.
  double gain_of_split() const;
};

/// Ranks the facts of the options' split that have the rules' relations, with the rules and
/// without. A rule stands for all of the list that say the same, whichever end is asked for. Fails
/// where the list has none of them, or the split has no such facts.
Result<SwitchedOff> switch_off(const RuleList& list, std::span<const Rule> rules,
                               const KnownGraph& known, const RankingOptions& options,
                               const Observer& observer = {});
Json to_json(const SwitchedOff& off, const Dataset& dataset, std::size_t top);

}  // namespace lerpp
