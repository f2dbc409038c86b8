// SPDX-License-Identifier: Apache-2.0
#define XXH_INLINE_ALL
#include "kg/digest.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace lerpp {

struct Digest::State {
  XXH3_state_t* hash = XXH3_createState();
  ~State() { XXH3_freeState(hash); }
};

Digest::Digest() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(state_->hash);
}

Digest::~Digest() = default;

void Digest::add(const void* bytes, std::size_t size) {
  XXH3_64bits_update(state_->hash, bytes, size);
}

std::string Digest::text() const {
  return fmt::format("{:016x}", XXH3_64bits_digest(state_->hash));
}

}  // namespace lerpp
