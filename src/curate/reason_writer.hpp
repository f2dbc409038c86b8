// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/observer.hpp>
#include <lerp/curate/complete.hpp>

#include "explain/predictor_state.hpp"

namespace lerpp {

/// Adds to each fact the rule that says most of it, how that rule fares on the graph, and what
/// speaks against it. `hidden`: each fact is hidden meanwhile.
Result<void> add_reasons(Predictor::State& state, std::vector<CuratedFact>& facts, bool hidden,
                         const Observer& observer);

}  // namespace lerpp
