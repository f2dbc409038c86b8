// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include <lerp/base/error.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/kg/dataset.hpp>
#include <lerp/logic/rule_file.hpp>

/// A list of discrete rules that ranks by itself, as distilling makes it.
namespace lerpp {

/// A grounding of a path rule is a walk along its hops; of a pair rule it is one z of the `∃z` on
/// y. Counts end at 65,535, and a walk goes on from at most `frontier` entities that a hop has
/// reached.
struct RuleList {
  std::vector<ListedRule> rules;
  std::uint32_t frontier = 1000;
};

/// What one rule of a list adds to the score of an answer. Rules of a group have the shares of what
/// it adds that they have in its sum.
struct RuleShare {
  std::size_t rule = 0;  ///< its place in the list
  double share = 0;
  std::uint32_t groundings = 0;
};

/// Answers queries with the rules alone, and says why.
class ListScorer : public Scorer {
 public:
  /// They add up to the score. The largest first.
  virtual std::vector<RuleShare> reasons(const Query& query, EntityId answer) const = 0;
};
/// The graph must outlive it.
std::unique_ptr<ListScorer> make_scorer(const RuleList& list, const Graph& known);

/// One rule a line, `weight more  body ⇒ head`, after comments that say how to read it.
Result<void> save_rules(const RuleList& list, const Dataset& dataset,
                        const std::filesystem::path& path);
/// Reads the file back to a list that scores the same.
Result<RuleList> load_rules(const std::filesystem::path& path, const Dataset& dataset);

}  // namespace lerpp
