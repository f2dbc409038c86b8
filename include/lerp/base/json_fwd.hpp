// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lerpp {

/// Results keep the order in which they are documented. Every result type has `Json to_json(const
/// T&)`. Headers need no more than this; <lerp/base/json.hpp> has the type itself.
using Json = nlohmann::ordered_json;

}  // namespace lerpp
