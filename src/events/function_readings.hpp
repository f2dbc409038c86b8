// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <lerp/logic/formula.hpp>

#include "events/event_functions.hpp"

namespace lerpp {

/// A formula, and the share of a function that it is: the product of the choices that it takes.
struct BodyReading {
  double share = 0;
  Formula formula;
};

/// The likeliest formulas of each function, with the operators of a corpus.
std::vector<std::vector<BodyReading>> body_readings(const EventFunctions& functions,
                                                    std::size_t per_function);

}  // namespace lerpp
