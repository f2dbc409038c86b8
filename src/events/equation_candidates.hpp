#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "events/corpus.hpp"
#include "events/event_functions.hpp"

namespace lerpp {

/// Bodies that occur: `∃y (op(x,y) ∧ type(y))`, and over a shared entity `∃z (role(x,z) ∧ ∃y
/// (role(y,z) ∧ type(y)))`. Those that most events fulfil come first.
std::vector<Formula> frequent_bodies(const NodeCorpus& corpus, const EventShape& shape,
                                     std::size_t least_support, std::size_t most);

/// What the functions say, their largest shares taken for the whole: the likeliest formulas of
/// each function.
std::vector<Formula> function_bodies(const EventFunctions& functions, std::size_t per_function);

}  // namespace lerpp
