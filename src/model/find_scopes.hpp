// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/base/team.hpp>
#include <lerp/kg/graph.hpp>
#include <lerp/model/paths.hpp>
#include <lerp/model/scopes.hpp>

namespace lerpp {

/// What the targets of a graph meet: the operators of the entities where their facts start and end,
/// then those that lie `length` hops away, nearest and most frequent first, up to a fixed number.
/// Where there are few relations that is all of them; where nobody lacks anything the scopes need
/// not be known. `paths` may be null.
Scopes find_scopes(const Graph& graph, const PathTable* paths, std::uint32_t length, Team& team);

}  // namespace lerpp
