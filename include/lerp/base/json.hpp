#pragma once

#include <nlohmann/json.hpp>

namespace lerpp {

/// Results keep the order in which they are documented. Every result type has `Json to_json(const
/// T&)`.
using Json = nlohmann::ordered_json;

}  // namespace lerpp
