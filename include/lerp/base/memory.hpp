// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lerpp {

/// The most memory that this process has held, since the start or the last reset.
std::uint64_t peak_memory();
void reset_peak_memory();

/// The memory of the machine.
std::uint64_t machine_memory();

}  // namespace lerpp
