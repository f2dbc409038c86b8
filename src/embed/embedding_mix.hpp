// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

namespace lerpp {

/// Chooses how much the embedding counts beside the rules, by the joint cross-entropy of queries
/// that neither has learned: of those that it has learned, an embedding is far too sure. Rules may
/// be too sure as well, and would have the embedding add nothing to that: so the sum is softened,
/// alike for all targets, which changes no rank. Tries fixed values in one pass. A target with few
/// queries follows the others.
class EmbeddingMix {
 public:
  explicit EmbeddingMix(OperatorId targets) : losses_(targets) {}

  /// One query: scores of all entities by the rules and, without a mix, by the embedding. The
  /// `known` answers but this one are left out.
  void add(OperatorId target, std::span<const float> rules, std::span<const float> embedding,
           EntityId answer, std::span<const Edge> known);
  /// Takes what another has seen, as of another thread.
  void add(const EmbeddingMix& other);
  /// The best for each target; 1 where nothing was seen.
  std::vector<float> choose() const;
  /// Leaves the parameters as they are where nothing was seen at all.
  void store(Parameters<float>& parameters) const;

  /// 0, 1/8, ... 4.
  static constexpr std::size_t values = 33;
  static float value(std::size_t place) { return static_cast<float>(place) / 8; }
  /// Scores are multiplied by 1/8, 2/8, ... 1.
  static constexpr std::size_t softnesses = 8;

 private:
  struct Losses {
    std::array<std::array<double, values>, softnesses> sums = {};
    double queries = 0;

    void add(const Losses& other, double weight);
  };

  std::vector<Losses> losses_;  ///< of each target
  std::vector<float> rules_, embedding_;
};

}  // namespace lerpp
