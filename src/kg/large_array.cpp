// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <sys/mman.h>

#include <lerp/kg/large_array.hpp>

namespace lerpp {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20U;

}  // namespace

void* allocate_large(std::size_t bytes) {
  if (bytes < 2 * large_page) {
    if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
  }
  const std::size_t whole = (bytes + large_page - 1) / large_page * large_page;
  void* memory = std::aligned_alloc(large_page, whole);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(memory, whole, MADV_HUGEPAGE);  // a wish: where it is not granted, nothing is lost
#endif
  return memory;
}

void free_large(void* memory) noexcept {
  std::free(memory);
}

}  // namespace lerpp
