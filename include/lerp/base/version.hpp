// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lerpp {

/// Which lerp this is. Declared here alone; CMake reads it from this line.
inline constexpr std::string_view program_version = "0.1.0";

}  // namespace lerpp
