// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace lerpp {

/// Memory for arrays that are read in random order: from some megabytes on it is asked for in large
/// pages, so that the processor finds it without a walk through its tables.
void* allocate_large(std::size_t bytes);
void free_large(void* memory) noexcept;

template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  explicit LargeAllocator(const LargeAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t /*count*/) noexcept { free_large(memory); }
  /// Left as it is: whoever resizes the array fills it, with all threads.
  template <class U>
  void construct(U* /*place*/) noexcept {
    static_assert(std::is_trivially_copyable_v<U>);
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
  bool operator==(const LargeAllocator&) const = default;
};

/// A vector whose resize() does not clear what it adds.
template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

}  // namespace lerpp
