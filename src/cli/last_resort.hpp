// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lerpp::cli {

/// No more memory than this is given to the program from now on, stacks of its threads included.
/// False where the system cannot hold it to that.
bool limit_memory(std::uint64_t bytes);

/// Says that there is not enough memory, and asks for none.
void complain_of_memory();

/// From now on, where memory ends in a place that cannot say so (a destructor, or what the standard
/// library holds for one that cannot fail), the program says the same, removes what it has not
/// finished and exits with 1. What ends it for any other reason still aborts.
void prepare_last_resort();

}  // namespace lerpp::cli
