#pragma once

#include <cstdint>
#include <string>

namespace lerpp {

/// 23483 as "23,483".
std::string thousands(std::uint64_t number);
/// "0:11", "12:05", "1:02:33"
std::string duration_text(double seconds);

}  // namespace lerpp
