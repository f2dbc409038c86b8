// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/base/observer.hpp>
#include <lerp/base/team.hpp>
#include <lerp/eval/ranking.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// Sets how much the embedding counts beside the rules for each target, by a sample of the
/// validation facts. The same for the same number of workers.
Result<void> choose_mix(const Scorer& rules, const Dataset& dataset, Team& team,
                        const Observer& observer, Parameters<float>& embedding);

/// The same for any two scorers that score every entity: how much the other counts, for each
/// target.
Result<std::vector<float>> choose_mix(const Scorer& rules, const Scorer& other,
                                      const Dataset& dataset, Team& team, const Observer& observer);

}  // namespace lerpp
