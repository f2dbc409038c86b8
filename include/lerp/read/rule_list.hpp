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

/// Answers queries with the rules alone. The graph must outlive it.
std::unique_ptr<Scorer> make_scorer(const RuleList& list, const Graph& known);

/// One rule a line, `weight more  body ⇒ head`, after comments that say how to read it.
Result<void> save_rules(const RuleList& list, const Dataset& dataset,
                        const std::filesystem::path& path);
/// Reads the file back to a list that scores the same.
Result<RuleList> load_rules(const std::filesystem::path& path, const Dataset& dataset);

}  // namespace lerpp
