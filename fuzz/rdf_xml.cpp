// SPDX-License-Identifier: Apache-2.0
#include "kg/rdf_xml.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  const auto read = [&](formats::Reading& reading) {
    return formats::read_rdf_xml(bytes, "x", reading, Split::train);
  };
  fuzz::check_reader([] { return formats::Reading(); }, read);
}
