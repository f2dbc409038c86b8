#pragma once

#include <string_view>

#include <lerp/base/error.hpp>
#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// The entity of this name, or of this human text where only one has it. The error proposes the
/// nearest names.
Result<EntityId> find_entity(const Dataset& dataset, std::string_view name);
Result<RelationId> find_relation(const Dataset& dataset, std::string_view name);

}  // namespace lerpp
