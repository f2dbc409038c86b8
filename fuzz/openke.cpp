// SPDX-License-Identifier: Apache-2.0
#include "kg/openke.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  fuzz::check_reader(&fuzz::with_names, [&](formats::Reading& reading) {
    return formats::read_openke(bytes, "x", reading, Split::train);
  });
}
