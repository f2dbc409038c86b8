// SPDX-License-Identifier: Apache-2.0
#include <lerp/base/files.hpp>

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  constexpr std::uint64_t most = 1 << 20;
  const auto plain = inflate(bytes, "x", most);
  fuzz::check(plain);
  if (plain && is_compressed(bytes)) fuzz::require(plain->size() <= most);
  if (plain && !is_compressed(bytes)) fuzz::require(*plain == bytes);
}
