// SPDX-License-Identifier: Apache-2.0
#include "kg/libkge.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  fuzz::check(formats::read_yaml(bytes, "x"));
  fuzz::check_reader(&fuzz::with_names, [&](formats::Reading& reading) {
    return formats::read_del(bytes, "x", reading, Split::train);
  });
}
