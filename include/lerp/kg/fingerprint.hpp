#pragma once

#include <string>

#include <lerp/kg/dataset.hpp>

namespace lerpp {

/// Tells datasets apart: names, ids and facts of every split.
std::string fingerprint(const Dataset& dataset);

}  // namespace lerpp
