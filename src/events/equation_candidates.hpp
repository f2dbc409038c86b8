// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "events/corpus.hpp"

namespace lerpp {

/// Bodies that occur: `∃y (op(x,y) ∧ type(y))`, and over a shared entity `∃z (role(x,z) ∧ ∃y
/// (role(y,z) ∧ type(y)))`. Those that most events fulfil come first.
std::vector<Formula> frequent_bodies(const NodeCorpus& corpus, const EventShape& shape,
                                     std::size_t least_support, std::size_t most);

}  // namespace lerpp
