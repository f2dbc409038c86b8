// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lerpp {

/// Memory that starts at a cache line, so that no vector of a padded row straddles two.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <class Other>
  explicit LineAllocator(const LineAllocator<Other>& /*other*/) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* start, std::size_t /*count*/) { ::operator delete(start, line); }
  bool operator==(const LineAllocator&) const = default;
};

template <class T>
using Buffer = std::vector<T, LineAllocator<T>>;

}  // namespace lerpp
