// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <lerp/eval/ranking.hpp>

namespace lerpp {

/// A model whose score of an entity is a sum over kinds of evidence, and that can tell them apart.
class PartScorer {
 public:
  virtual ~PartScorer() = default;
  virtual std::size_t kinds() const = 0;
  /// The parts of every entity's score: those of query i and kind k at parts[(i * kinds + k) *
  /// entities]. All queries of a call have the same target. What `parts` held before is no matter.
  /// Called from several threads at once.
  virtual void score_parts(std::span<const Query> queries, std::span<float> parts) const = 0;
};

}  // namespace lerpp
