// SPDX-License-Identifier: Apache-2.0
#include "kg/turtle.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  formats::looks_like_turtle(bytes);
  fuzz::check_reader([] { return formats::Reading(); },
                     [&](formats::Reading& reading) {
                       return formats::read_turtle(bytes, "x", reading, Split::train);
                     });
}
