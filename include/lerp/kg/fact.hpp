// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace lerpp {

using EntityId = std::uint32_t;
using RelationId = std::uint32_t;

/// One of the 2R operators: relation r forwards is r, backwards is R + r.
using OperatorId = std::uint32_t;

/// `relation(subject, object)` holds.
struct Fact {
  EntityId subject = 0;
  RelationId relation = 0;
  EntityId object = 0;

  auto operator<=>(const Fact&) const = default;
};

}  // namespace lerpp
