// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lerpp {

/// Deals targets out to processes, or to lanes, so that all have about as much to do: the dearest
/// first, each to whoever has the least so far. Depends on the costs alone. No one has more than
/// 4/3 of what the best dealing would give.
std::vector<unsigned> owners(std::span<const std::uint64_t> costs, unsigned parts);

}  // namespace lerpp
