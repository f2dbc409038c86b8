// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <lerp/base/error.hpp>

namespace lerpp {

/// Memory that this process can still take: of the machine, of its container or by its own limit,
/// whichever is least. 0 where that is not known.
std::uint64_t free_memory();

/// Refuses what takes more memory than is free, if that is known. `what` begins the sentence.
Result<void> check_memory(const std::string& what, std::uint64_t needed, std::uint64_t free);

}  // namespace lerpp
