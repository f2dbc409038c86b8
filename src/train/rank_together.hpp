// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/crew.hpp>
#include <lerp/eval/ranking_plan.hpp>

namespace lerpp {

/// As `rank`, shared out among processes; all of them get the report.
Result<RankingReport> rank_together(Crew& crew, const Scorer& scorer, const RankingPlan& plan,
                                    const Observer& observer = {});

}  // namespace lerpp
