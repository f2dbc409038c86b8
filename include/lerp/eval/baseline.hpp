// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include <lerp/eval/ranking.hpp>

/// Models that learn next to nothing: what every real one must beat, and what ties do to a table.
namespace lerpp {

/// symmetry: the one rule r(y,x) ⇒ r(x,y), score 1, for every relation.
/// inverse: r'(x,y) ⇒ r(x,y) and r'(y,x) ⇒ r(x,y), weighted by their confidence on the known facts.
/// frequency: how often an entity answers the target in the known facts.
/// zero: scores everything 0.
enum class Baseline { symmetry, inverse, frequency, zero };
Result<Baseline> baseline_named(std::string_view name);

/// The scorer refers to the graph, which must outlive it.
std::unique_ptr<Scorer> make_baseline(Baseline baseline, const Graph& known);

}  // namespace lerpp
