// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <lerp/base/error.hpp>
#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// The entity of this name, or of this human text where only one has it; "ex:anna" where a file
/// declares the prefix; the end of an IRI where only one ends so; a name after a backslash, which
/// takes from "?" its meaning. The error proposes the nearest names.
Result<EntityId> find_entity(const Dataset& dataset, std::string_view name);
Result<RelationId> find_relation(const Dataset& dataset, std::string_view name);

}  // namespace lerpp
