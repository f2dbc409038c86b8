// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <lerp/model/paths.hpp>

#include "model/path_walk.hpp"

namespace lerpp {

/// The paths of a model on a graph, ready to be walked: found once, and read by all.
struct PathIndex {
  /// The graph must outlive it.
  PathIndex(const Graph& graph, std::shared_ptr<const PathTable> table, unsigned threads = 0,
            const Observer& observer = {});

  std::shared_ptr<const PathTable> table;
  OperatorRows rows;
  std::vector<PathTrie> tries;  ///< of each target
};

}  // namespace lerpp
