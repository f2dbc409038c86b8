// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace lerpp {

/// A short text that tells data apart: 16 hexadecimal digits of all that was added.
class Digest {
 public:
  Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;
  ~Digest();

  void add(const void* bytes, std::size_t size);
  /// How many there are, and all of them.
  template <class Value>
  void add(const std::vector<Value>& values) {
    static_assert(std::has_unique_object_representations_v<Value>);
    const std::uint64_t count = values.size();
    add(&count, sizeof(count));
    add(values.data(), values.size() * sizeof(Value));
  }
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lerpp
