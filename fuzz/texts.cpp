// SPDX-License-Identifier: Apache-2.0
#include "kg/texts.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  using formats::TextKey;
  using formats::TextsFor;
  formats::Reading reading = fuzz::with_names();
  Dataset& dataset = reading.dataset;
  for (const TextKey key : {TextKey::name, TextKey::id}) {
    fuzz::check(formats::read_texts(bytes, "x", dataset, TextsFor::both, key));
  }
  for (EntityId id = 0; id < dataset.entities.size(); ++id) {
    fuzz::require(!dataset.entity_label(id).empty());
  }
}
