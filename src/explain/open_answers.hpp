// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lerp/eval/ranking.hpp>

namespace lerpp {

/// How one answer stands among those to a question that are not known, as the model sees it.
struct Side {
  double score = 0;
  double log_share = 0;      ///< of the softmax; of a sum of rules, of the sum
  double margin = 0;         ///< above the best other answer, or below it
  std::uint64_t better = 0;  ///< other answers with a greater score
};

/// All answers to one question that are not known yet. Keeps its memory from question to question:
/// have one for each thread.
class OpenAnswers {
 public:
  /// Whether scores are log-odds, or sums of rules.
  explicit OpenAnswers(bool evidence) : evidence_(evidence) {}

  /// Takes the scores; `known` is sorted by entity. One of the known may count as open.
  void take(const Scores& scores, EntityId entities, std::span<const Edge> known);

  double score(EntityId answer) const { return double{all_[answer]}; }
  Side side(EntityId answer) const;
  /// The best that are open, best first; of equal ones the first by number.
  std::vector<EntityId> best(std::size_t count) const;

 private:
  double mass(float score) const;

  bool evidence_;
  std::vector<float> all_;   ///< of every entity; what is not a number is the least
  std::vector<float> open_;  ///< the same, with the known ones at the least
  float top_ = 0, second_ = 0;
  EntityId first_ = 0;
  double sum_ = 0;  ///< mass of the open ones
};

}  // namespace lerpp
