// SPDX-License-Identifier: Apache-2.0
#include "kg/foreign.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  fuzz::check(formats::refuse_foreign(bytes, "x"));
  formats::looks_like_rdf_xml(bytes);
}
