#pragma once

#include <memory>
#include <vector>

#include "model/prior_term.hpp"
#include "model/term.hpp"

namespace lerpp {

/// What the terms of a model know of a graph: found once, shared by all that work on it.
struct Background {
  Background(const ModelShape& shape, const Graph& graph);

  std::shared_ptr<const PriorClasses> classes;
};

/// The terms of a model on a graph, which must outlive them.
template <class Real>
std::vector<std::unique_ptr<Term<Real>>> make_terms(const ModelShape& shape, const Graph& graph,
                                                    const Background& background, unsigned workers);

}  // namespace lerpp
