// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lerp/logic/evaluate.hpp>

namespace lerpp {

/// How a rule fares on a graph, counted over pairs (x, y), each once.
struct Support {
  std::uint64_t body = 0;     ///< pairs that the body leads to
  std::uint64_t support = 0;  ///< those of them that are facts of the head
  std::uint64_t head = 0;     ///< facts of the head
  /// Pairs of the body whose x has an answer at all: under the partial completeness assumption the
  /// graph knows all answers of x or none.
  std::uint64_t pca_body = 0;

  /// Shares are 0 where there is nothing to share.
  double head_coverage() const { return share(support, head); }
  double confidence() const { return share(support, body); }
  double pca_confidence() const { return share(support, pca_body); }

  bool operator==(const Support&) const = default;

 private:
  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct SupportOptions {
  /// A fact does not help to prove itself: whether the body leads to it is asked of the graph
  /// without it.
  bool masked = false;
  /// Pairs of an entity with itself do not count, in body and head.
  bool distinct = false;
  /// Of the entities that x is tried with, drawn evenly; below 1 all counts are of that sample.
  double share = 1;
};

/// Whether an entity is in the sample of this share. A larger sample holds the smaller ones.
bool in_sample(EntityId entity, double share);

Support support(const Rule& rule, Evaluator& evaluator, const SupportOptions& options = {});

}  // namespace lerpp
