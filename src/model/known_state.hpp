// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include <lerp/model/known_graph.hpp>
#include <lerp/model/paths.hpp>

#include "model/constant_tables.hpp"
#include "model/list_index.hpp"
#include "model/path_index.hpp"
#include "model/prior_classes.hpp"

namespace lerpp {

/// What the copies of a known graph share.
class KnownGraph::State {
 public:
  State(std::shared_ptr<const Dataset> dataset, KnownSplits splits, unsigned threads)
      : dataset_(std::move(dataset)), splits_(splits), threads_(threads) {}

  const Dataset& dataset() const { return *dataset_; }
  const std::shared_ptr<const Dataset>& shared_dataset() const { return dataset_; }
  KnownSplits splits() const { return splits_; }
  unsigned threads() const { return threads_; }

  // Found when they are first asked for.
  const Graph& graph();
  std::shared_ptr<const PriorClasses> classes();
  std::shared_ptr<const ConstantTables> constants();
  /// One for each table that was asked for.
  std::shared_ptr<const PathIndex> walks(const std::shared_ptr<const PathTable>& paths);
  /// The list that was asked for last.
  std::shared_ptr<const ListIndex> rules(const std::shared_ptr<const RuleList>& list);

 private:
  std::shared_ptr<const Dataset> dataset_;
  KnownSplits splits_;
  unsigned threads_;
  std::once_flag built_;
  Graph graph_;
  std::mutex mutex_;  ///< of what follows
  std::shared_ptr<const PriorClasses> classes_;
  std::shared_ptr<const ConstantTables> constants_;
  std::map<std::shared_ptr<const PathTable>, std::shared_ptr<const PathIndex>> walks_;
  std::shared_ptr<const ListIndex> rules_;
};

}  // namespace lerpp
