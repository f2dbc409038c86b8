// SPDX-License-Identifier: Apache-2.0
#include "base/checksum.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace lerpp {

void Checksum::Free::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

Checksum::Checksum() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Checksum::add(std::string_view bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

void Checksum::add_piece(std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::array<char, sizeof size> number = {};
  std::memcpy(number.data(), &size, sizeof size);
  add({number.data(), number.size()});
  add(bytes);
}

std::string Checksum::text() const {
  const XXH128_hash_t sum = XXH3_128bits_digest(state_.get());
  return fmt::format("{:016x}{:016x}", sum.high64, sum.low64);
}

}  // namespace lerpp
