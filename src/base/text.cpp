#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lerp/base/text.hpp>

namespace lerpp {

std::string thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, std::round(seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace lerpp
