// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lerp/kg/graph.hpp>

namespace lerpp {

/// The facts of a graph in some equal parts. A question that is asked while the whole part of its
/// fact is hidden sees as little as a question about a fact that nobody knows yet: its neighbours
/// are incomplete too. Where the question's own fact is all that is hidden, long bodies that lead
/// around it look better than they are.
class Folds {
 public:
  Folds(const Graph& graph, std::size_t count);

  const Mask& hiding(const Fact& fact) const { return masks_[number(fact)]; }

 private:
  std::size_t number(const Fact& fact) const;

  std::size_t count_;
  std::vector<Mask> masks_;
};

}  // namespace lerpp
