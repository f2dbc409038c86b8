#include <lerp/base/files.hpp>

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  const auto plain = inflate(bytes, "x");
  fuzz::check(plain);
  if (plain && !is_compressed(bytes)) fuzz::require(*plain == bytes);
}
