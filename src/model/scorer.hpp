// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <lerp/base/team.hpp>
#include <lerp/eval/part_scorer.hpp>
#include <lerp/model/model.hpp>

#include "model/background.hpp"

namespace lerpp {

/// As the public one, on a background that is known already. The parameters must outlive it; the
/// team is used only until it is made. Of no use where the observer asks to stop: the caller asks
/// too.
std::unique_ptr<Scorer> make_scorer(const Parameters<float>& parameters,
                                    std::shared_ptr<const Background> background, Team& team,
                                    const Observer& observer = {});

/// The rules of a model and its terms apart: each kind of term, or all of them together.
std::unique_ptr<PartScorer> make_part_scorer(const Parameters<float>& parameters,
                                             std::shared_ptr<const Background> background,
                                             Team& team, bool each_term,
                                             const Observer& observer = {});

}  // namespace lerpp
