// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include <lerp/base/observer.hpp>

namespace lerpp {

/// Calls `work(first, last)` for one piece after the other of a range, and asks in between whether
/// to stop: a piece takes some milliseconds. False where it stopped.
template <class Work>
bool in_pieces(std::size_t first, std::size_t last, const Observer& observer, Work&& work) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  while (first < last) {
    if (observer.stopped()) return false;
    const std::size_t end = std::min(last, first + piece);
    work(first, end);
    first = end;
  }
  return true;
}

}  // namespace lerpp
