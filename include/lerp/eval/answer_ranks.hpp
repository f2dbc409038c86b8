// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <lerp/eval/ranking.hpp>

namespace lerpp {

/// One question of a ranking, and where its answer came.
struct AnswerRank {
  Fact fact;
  bool tail = true;  ///< r(h, ?) was asked, or else r(?, t)
  float score = 0;
  Rank rank;
};

/// Both questions of every fact that was ranked, in the order of the facts, tails first.
struct AnswerRanks {
  std::shared_ptr<const Dataset> dataset;
  std::vector<AnswerRank> answers;
};

/// As `rank`, each question by itself: the measures of a report are means over these.
Result<std::vector<AnswerRank>> rank_answers(const Scorer& scorer, const Dataset& dataset,
                                             const RankingOptions& options,
                                             const Observer& observer = {});

/// One line a question, separated by tabs, below a line of names; whole or not at all.
Result<void> write_ranks(const AnswerRanks& ranks, const std::filesystem::path& path);

}  // namespace lerpp
