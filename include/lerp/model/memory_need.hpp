// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lerp/base/memory_plan.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/parameters.hpp>

/// How much memory models take, from the sizes of the graph and their own. docs/reliability.md
/// compares it with what was measured.
namespace lerpp {

/// To rank or answer on a graph that is known already, with a model that has been read.
MemoryNeed ranking_need(const ModelShape& shape, const Graph& known);

/// To learn a model of these sizes, in steps of so many batches of at most so many queries.
struct LearningSizes {
  std::uint32_t lanes = 1;
  std::uint32_t batch = 1;
  std::uint32_t frontier = 0;  ///< entities of a query that pass anything on; 0 is all
};
MemoryNeed learning_need(const ModelShape& shape, const Graph& known, const LearningSizes& sizes);

}  // namespace lerpp
