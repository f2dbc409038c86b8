// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <lerp/explain/explain.hpp>

namespace lerpp {

/// A fact of the split that the model ranks first and proves best, explained: of a few that are
/// spread over the split, the one whose strongest reason has a chain of facts and carries the most
/// of the score. Nothing where none is like that.
std::optional<Explanation> example_proof(const Predictor& predictor, Split split);

}  // namespace lerpp
