// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <lerp/eval/ranking.hpp>

#include "eval/score_key.hpp"

/// The vectorised inside of ranking, for the best instruction set of the machine it runs on.
namespace lerpp {

/// keys[i] = key_of(scores[i]); both are of one length.
void make_keys(std::span<const float> scores, std::span<ScoreKey> keys);

/// Adds to ranks[i] how many keys are greater than answers[i] and how many equal it.
void count_keys(std::span<const ScoreKey> keys, std::span<const ScoreKey> answers,
                std::span<Rank> ranks);

}  // namespace lerpp
