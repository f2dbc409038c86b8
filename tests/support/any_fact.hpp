// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <lerp/kg/fact.hpp>

namespace lerpp::test {

/// Any fact over so many entities and relations.
inline rc::Gen<Fact> any_fact(EntityId entities, RelationId relations) {
  return rc::gen::apply(
      [](EntityId s, RelationId r, EntityId o) {
        return Fact{s, r, o};
      },
      rc::gen::inRange<EntityId>(0, entities), rc::gen::inRange<RelationId>(0, relations),
      rc::gen::inRange<EntityId>(0, entities));
}

}  // namespace lerpp::test
