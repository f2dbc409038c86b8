// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include <lerp/explain/predict.hpp>

namespace lerpp {

/// All entities as answers to one question. The scores, dense, and what is known must outlive it.
class Candidates {
 public:
  Candidates(const Scores& scores, std::span<const Edge> known, bool evidence);

  /// How an answer stands among all but the other known ones.
  Standing standing(EntityId answer) const;
  /// The best score below that of an answer, among the same; none where nothing is below.
  std::optional<double> next_score(EntityId answer) const;

 private:
  double mass(EntityId entity) const;

  const Scores& scores_;
  std::span<const Edge> known_;
  bool evidence_;
  double top_ = 0;
  double open_ = 0;  ///< mass of all that are not known
};

}  // namespace lerpp
