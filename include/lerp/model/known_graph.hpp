// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// What a model may know of a dataset while it answers: the graph of the known splits, and what
/// models find out about that graph. Each is found when it is first needed, once, and shared with
/// all copies, which cost nothing. Several threads may ask.
class KnownGraph {
 public:
  /// The dataset must outlive it and its copies. The threads, 0 for one of each core, find things.
  explicit KnownGraph(const Dataset& dataset, KnownSplits splits = KnownSplits::train,
                      unsigned threads = 0);
  /// Keeps the dataset.
  explicit KnownGraph(Dataset&& dataset, KnownSplits splits = KnownSplits::train,
                      unsigned threads = 0);
  explicit KnownGraph(std::shared_ptr<const Dataset> dataset,
                      KnownSplits splits = KnownSplits::train, unsigned threads = 0);

  const Dataset& dataset() const;
  /// For those who keep the dataset longer than this; it owns nothing that this does not.
  std::shared_ptr<const Dataset> shared_dataset() const;
  KnownSplits splits() const;
  unsigned threads() const;
  bool knows(Split split) const { return is_known(split, splits()); }
  /// Lives as long as any of the copies.
  const Graph& graph() const;

  /// For the library's own use.
  class State;
  State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace lerpp
