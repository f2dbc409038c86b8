// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The Arrow C data interface, as https://arrow.apache.org/docs/format/CDataInterface.html lays it
/// down.
extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace lerpp::python {

inline constexpr std::int64_t arrow_nullable = 2;

/// Releases what it holds, once.
template <class Part>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;
  ~ArrowOwner() {
    if (part_.release != nullptr) part_.release(&part_);
  }

  Part* get() { return &part_; }
  Part* operator->() { return &part_; }

 private:
  Part part_ = {};
};

}  // namespace lerpp::python
