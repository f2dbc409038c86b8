// SPDX-License-Identifier: Apache-2.0
#include "kg/json_lines.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  formats::looks_like_json_lines(bytes);
  const auto read = [&](formats::Reading& reading) {
    return formats::read_json_lines(bytes, "x", reading, Split::train);
  };
  fuzz::check_reader([] { return formats::Reading(); }, read);
  fuzz::check_reader(&fuzz::with_names, read);
}
