// SPDX-License-Identifier: Apache-2.0
#include "explain/candidates.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lerpp {

Candidates::Candidates(const Scores& scores, std::span<const Edge> known, bool evidence)
    : scores_(scores), known_(known), evidence_(evidence) {
  assert(scores.is_dense());
  if (evidence) top_ = double{*std::max_element(scores.values.begin(), scores.values.end())};
  auto next = known.begin();
  for (EntityId entity = 0; entity < scores.values.size(); ++entity) {
    if (next != known.end() && next->target == entity) {
      ++next;
    } else {
      open_ += mass(entity);
    }
  }
}

/// Of a sum of rules the score is a share already, up to its norm; of evidence its exponential is.
double Candidates::mass(EntityId entity) const {
  const double score{scores_.values[entity]};
  return evidence_ ? std::exp(score - top_) : std::max(0.0, score);
}

Standing Candidates::standing(EntityId answer) const {
  const bool known = std::any_of(known_.begin(), known_.end(),
                                 [&](const Edge& edge) { return edge.target == answer; });
  const double own = mass(answer);
  const double all = known ? open_ + own : open_;
  const auto entities = static_cast<EntityId>(scores_.values.size());
  return {double{scores_.values[answer]}, filtered_rank(scores_, entities, answer, known_),
          all > 0 ? own / all : 0};
}

std::optional<double> Candidates::next_score(EntityId answer) const {
  const float own = scores_.values[answer];
  std::optional<double> best;
  auto next = known_.begin();
  for (EntityId entity = 0; entity < scores_.values.size(); ++entity) {
    if (next != known_.end() && next->target == entity) {
      ++next;
      continue;
    }
    const float score = scores_.values[entity];
    if (score < own && (!best || double{score} > *best)) best = double{score};
  }
  return best;
}

}  // namespace lerpp
