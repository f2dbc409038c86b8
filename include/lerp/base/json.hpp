#pragma once

#include <nlohmann/json.hpp>

#include <lerp/base/json_fwd.hpp>
