// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include <rapidcheck.h>

#include <lerp/eval/ranking.hpp>

/// The definition of a filtered rank, word by word and slow, and random input for it.
namespace lerpp {

inline std::vector<float> all_scores(const Scores& scores, EntityId entities) {
  if (scores.is_dense()) return scores.values;
  std::vector<float> all(entities, scores.rest);
  for (std::size_t i = 0; i < scores.entities.size(); ++i) {
    all[scores.entities[i]] = scores.values[i];
  }
  return all;
}

inline Rank slow_rank(const std::vector<float>& scores, EntityId answer,
                      const std::set<EntityId>& known) {
  Rank rank;
  const float own = scores[answer];
  for (EntityId other = 0; other < scores.size(); ++other) {
    if (other == answer || known.contains(other)) continue;
    const float score = scores[other];
    if (std::isnan(own)) {
      ++(std::isnan(score) ? rank.equal : rank.greater);
    } else if (score > own) {
      ++rank.greater;
    } else if (score == own) {
      ++rank.equal;
    }
  }
  return rank;
}

/// Few different scores, so that ties are common, and all that floating point has to trip over.
inline rc::Gen<float> any_score() {
  using Limits = std::numeric_limits<float>;
  return rc::gen::element(
      0.0F, -0.0F, 1.0F, -1.0F, 0.5F, -0.5F, Limits::denorm_min(), -Limits::denorm_min(),
      Limits::max(), Limits::lowest(), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
      -Limits::quiet_NaN(), std::bit_cast<float>(0x7F800001U), std::bit_cast<float>(0xFFFFFFFFU));
}

inline std::set<EntityId> any_entities(EntityId entities) {
  const auto some =
      *rc::gen::container<std::vector<EntityId>>(rc::gen::inRange<EntityId>(0, entities));
  return {some.begin(), some.end()};
}

inline Scores any_scores(EntityId entities) {
  Scores scores;
  if (*rc::gen::arbitrary<bool>()) {
    for (float& score : scores.dense(entities)) score = *any_score();
    return scores;
  }
  scores.clear(*any_score());
  for (const EntityId entity : any_entities(entities)) scores.add(entity, *any_score());
  // In any order.
  if (*rc::gen::arbitrary<bool>()) {
    std::reverse(scores.entities.begin(), scores.entities.end());
    std::reverse(scores.values.begin(), scores.values.end());
  }
  return scores;
}

}  // namespace lerpp
