// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <lerp/base/team.hpp>
#include <lerp/model/known_graph.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/model/paths.hpp>

#include "model/constant_tables.hpp"
#include "model/list_index.hpp"
#include "model/path_index.hpp"
#include "model/prior_classes.hpp"

namespace lerpp {

/// What is known of a graph for a model: found once, shared by all threads, lanes, validations and
/// probes that work on it.
class Background {
 public:
  /// The graph must outlive it. `paths` are those of the model, if it has any. Incomplete where the
  /// observer asks to stop: the caller asks too.
  Background(const ModelShape& shape, const Graph& graph, std::shared_ptr<const PathTable> paths,
             Team& team, const Observer& observer = {},
             const std::shared_ptr<const RuleList>& list = {});
  /// Shares what is found out about a known graph, which must outlive it, or a copy of it.
  Background(const ModelShape& shape, const KnownGraph& known,
             std::shared_ptr<const PathTable> paths,
             const std::shared_ptr<const RuleList>& list = {});
  /// The same with some facts more, without what `constants` would have to be counted for anew.
  Background(const Background& other, const Graph& more, bool recount, Team& team);

  const Graph& graph() const { return *graph_; }
  const ModelShape& shape() const { return shape_; }

  std::shared_ptr<const PriorClasses> classes;
  std::shared_ptr<const PathTable> paths;
  std::shared_ptr<const PathIndex> walks;
  std::shared_ptr<const ConstantTables> constants;
  std::shared_ptr<const ListIndex> rules;

 private:
  ModelShape shape_;
  const Graph* graph_;
};

}  // namespace lerpp
