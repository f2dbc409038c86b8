#pragma once

#include <memory>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/model/paths.hpp>

#include "model/constant_term.hpp"
#include "model/pair_term.hpp"
#include "model/path_term.hpp"
#include "model/prior_term.hpp"
#include "model/term.hpp"

namespace lerpp {

/// What the terms of a model know of a graph: found once, shared by all that work on it.
struct Background {
  /// `paths` are those of the model, if it has any.
  Background(const ModelShape& shape, const Graph& graph, std::shared_ptr<const PathTable> paths,
             Team& team);

  std::shared_ptr<const PriorClasses> classes;
  std::shared_ptr<const PathTable> paths;
  std::shared_ptr<const ConstantTables> constants;
};

/// The terms of a model on a graph, which must outlive them.
template <class Real>
std::vector<std::unique_ptr<Term<Real>>> make_terms(const ModelShape& shape, const Graph& graph,
                                                    const Background& background, unsigned workers);

}  // namespace lerpp
