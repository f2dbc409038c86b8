// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/dataset.hpp>
#include <lerp/train/options.hpp>

#include "model/backend.hpp"

namespace lerpp {

/// The queries of an epoch in steps: a step has up to `train.lanes` batches, each of another
/// target. Order and content depend on the seed, the lanes and the epoch alone, so that an
/// interrupted epoch can be taken up at any step.
class Batches {
 public:
  /// Incomplete where the observer asks to stop: the caller asks too.
  Batches(const Dataset& dataset, const TrainOptions& options, const Observer& observer = {});

  /// Of each target, how much there is to learn.
  std::vector<std::uint64_t> costs() const;

  /// Shuffles anew for an epoch, counted from 0.
  void start_epoch(std::uint32_t epoch);
  /// Steps.
  std::size_t size() const { return steps_.size() - 1; }
  /// Queries in the steps before this one, and in all.
  std::uint64_t queries_before(std::size_t step) const { return before_[step]; }
  std::uint64_t queries() const { return before_.back(); }

  /// The batches of a step.
  void fill(std::size_t step, std::vector<Batch>& out) const;

 private:
  struct Piece {
    OperatorId target = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    double time = 0;  ///< when it is its turn, from 0 to 1
  };

  void cut_steps();
  void fill(std::size_t number, Batch& out) const;

  std::vector<Fact> facts_;
  RelationId relations_;
  TrainOptions options_;
  std::vector<std::vector<std::uint32_t>> of_target_;  ///< places in facts_
  std::vector<Piece> order_;
  std::vector<std::size_t> steps_ = {0};  ///< where each begins in order_, and one more
  std::vector<std::uint64_t> before_ = {0};
  std::uint32_t epoch_ = 0;
};

}  // namespace lerpp
