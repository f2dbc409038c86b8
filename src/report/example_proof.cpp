// SPDX-License-Identifier: Apache-2.0
#include "report/example_proof.hpp"

#include <algorithm>
#include <cmath>

namespace lerpp {
namespace {

constexpr std::size_t looked_at = 40;
constexpr std::size_t fewest_hops = 2;

/// How much an explanation convinces: the share of the score that its first reason carries, where
/// that is a chain with real facts.
double clarity(const Explanation& explanation) {
  if (explanation.standing.rank.realistic() > 1 || explanation.reasons.empty()) return 0;
  const Explanation::Reason& first = explanation.reasons.front();
  if (!first.rule || first.groundings.empty() || first.share <= 0) return 0;
  if (first.rule->hops().size() < fewest_hops) return 0;
  double all = 0;
  for (const Explanation::Reason& reason : explanation.reasons) all += std::abs(reason.share);
  return first.share / all;
}

}  // namespace

std::optional<Explanation> example_proof(const Predictor& predictor, Split split) {
  ExplainOptions options;
  options.reasons = 3;
  options.groundings = 1;
  options.facts = 3;
  const std::vector<Fact>& facts = predictor.dataset()[split];
  const std::size_t count = std::min(facts.size(), looked_at);
  std::optional<Explanation> best;
  double clearest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Result<Explanation> found = explain(predictor, facts[i * facts.size() / count], options);
    if (!found || clarity(*found) <= clearest) continue;
    clearest = clarity(*found);
    best = std::move(*found);
  }
  return best;
}

}  // namespace lerpp
