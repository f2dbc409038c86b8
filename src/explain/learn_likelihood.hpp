// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "explain/judge.hpp"

namespace lerpp {

/// Questions as people ask them: about any entity, and about a relation that it takes part in, or
/// that most of those take part in that are like it in some way. There may be nothing left to find.
std::vector<Query> draw_questions(const Habits& habits, const Graph& graph, std::size_t count,
                                  std::uint64_t seed);

/// Learns how likely a model's best answers are from validation facts; where there are none, or the
/// model knows them, from known facts that are taken out of the graph while they are asked for.
Result<Likelihood> learn_likelihood(const Model& model, const KnownGraph& known, unsigned threads,
                                    const Observer& observer = {});

}  // namespace lerpp
