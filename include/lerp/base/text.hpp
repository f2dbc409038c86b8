#pragma once

#include <cstdint>
#include <string>

namespace lerpp {

/// 23483 as "23,483".
std::string thousands(std::uint64_t number);

}  // namespace lerpp
