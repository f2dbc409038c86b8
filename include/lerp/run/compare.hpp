// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/eval/rank_changes.hpp>
#include <lerp/run/run.hpp>

/// Two runs side by side, also where the second has learned from changed data: entities and
/// relations are the same where they have the same name.
namespace lerpp {

/// The questions that both runs can be asked, and the names that the changes are told in: those of
/// the first run.
struct RunRanks {
  std::shared_ptr<const Dataset> dataset;
  std::size_t facts = 0;  ///< of the split that both data have; the options may take some of them
  RankChanges changes;
};
/// Fails where the splits have no fact in common.
Result<RunRanks> compare_ranks(const Run& before, const Run& after,
                               const RankingOptions& options = {});

/// The rules that only one of two reports has, as they stand there, the strongest first.
struct RulesApart {
  std::vector<ReadRule> gained;
  std::vector<ReadRule> lost;
  std::size_t kept = 0;  ///< that both have
};
RulesApart compare_rules(const RuleReport& before, const Dataset& before_data,
                         const RuleReport& after, const Dataset& after_data);

}  // namespace lerpp
