// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lerp/base/json_fwd.hpp>
#include <lerp/base/observer.hpp>
#include <lerp/base/options.hpp>
#include <lerp/logic/formula.hpp>
#include <lerp/model/model.hpp>

namespace lerpp {

struct ClusterOptions {
  std::uint32_t clusters = 8;
  std::uint32_t entities = 4000;
  std::uint32_t examples = 5;
  double least = 0.01;
  std::uint32_t threads = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(Field{"clusters", "to be told apart at most", 1, 64}, self.clusters);
    visit(Field{"entities", "entities looked at, drawn evenly from all", 10, 1e6}, self.entities);
    visit(Field{"examples", "entities named for each", 0, 1000}, self.examples);
    visit(Field{"least", "of the variance that dividing a cluster must explain", 0, 1}, self.least);
    visit(Field{"threads", "0 is one for each core", 0, 1024}, self.threads);
  }
};

/// Clusters of entities in the space of the functions, each told by a formula: an entity belongs to
/// the one cluster whose formula holds of it.
struct FunctionClusters {
  struct Cluster {
    Formula formula;        ///< what its entities have in common; true where there is but one
    std::size_t count = 0;  ///< of all entities
    double share = 0;       ///< of all entities
    double spread = 0;      ///< mean square distance from its middle
    std::vector<EntityId> examples;
  };

  std::vector<Cluster> clusters;          ///< the largest first
  double explained = 0;                   ///< of the variance of the functions, by the clusters
  std::vector<EntityId> entities;         ///< those that were looked at
  std::vector<std::uint32_t> cluster_of;  ///< each of them
};

/// Begins with all entities, and divides again and again the cluster where that brings the
/// functions of what is together closest to each other: by a formula of the model, or a part of
/// one, that holds of some of its entities and not of others. Fails where the model has no
/// functions.
Result<FunctionClusters> function_clusters(const Model& model, const KnownGraph& known,
                                           const ClusterOptions& options = {},
                                           const Observer& observer = {});
Json to_json(const FunctionClusters& clusters, const Dataset& dataset);

}  // namespace lerpp
