// SPDX-License-Identifier: Apache-2.0
#include "kg/names.hpp"

#include "fuzz.hpp"

LERP_FUZZ_TARGET(bytes) {
  using namespace lerpp;
  using formats::NamesKind;
  for (const NamesKind kind : {NamesKind::list, NamesKind::dict, NamesKind::counted}) {
    const auto file = formats::read_names(bytes, "x", kind);
    fuzz::check(file);
    if (!file) continue;
    fuzz::require(!file->names.empty());
    for (Vocabulary::Id id = 0; id < file->names.size(); ++id) {
      fuzz::require(!file->names.name(id).empty());
    }
  }
}
