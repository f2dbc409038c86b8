// SPDX-License-Identifier: Apache-2.0
#include "kg/separated.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  const auto read = [&](formats::Reading& reading) {
    return formats::read_separated(bytes, "x", reading, Split::train);
  };
  fuzz::check_reader([] { return formats::Reading(); }, read);
  fuzz::check_reader(&fuzz::with_names, read);
}
