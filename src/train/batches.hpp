#pragma once

#include <cstdint>
#include <vector>

#include <lerp/kg/dataset.hpp>
#include <lerp/train/options.hpp>

#include "model/engine.hpp"

namespace lerpp {

/// The queries of an epoch in batches of one target each. Order and content depend on the seed and
/// the epoch alone, so that an interrupted epoch can be taken up anywhere.
class Batches {
 public:
  /// The dataset must outlive it.
  Batches(const Dataset& dataset, const TrainOptions& options);

  /// Shuffles anew for an epoch, counted from 0.
  void start_epoch(std::uint32_t epoch);
  std::size_t size() const { return order_.size(); }
  /// Queries in the batches before this one, and in all.
  std::uint64_t queries_before(std::size_t batch) const { return before_[batch]; }
  std::uint64_t queries() const { return before_.back(); }

  void fill(std::size_t batch, Batch& out) const;

 private:
  struct Piece {
    OperatorId target;
    std::uint32_t first;
    std::uint32_t last;
  };

  std::vector<Fact> facts_;
  RelationId relations_;
  TrainOptions options_;
  std::vector<std::vector<std::uint32_t>> of_target_;  ///< places in facts_
  std::vector<Piece> order_;
  std::vector<std::uint64_t> before_;
  std::uint32_t epoch_ = 0;
};

}  // namespace lerpp
