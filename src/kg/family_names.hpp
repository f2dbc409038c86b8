// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// The names that people of a generated family can have: ASCII, lower case, no digits.
namespace lerpp::family {

std::span<const std::string_view> women_names();
std::span<const std::string_view> men_names();
std::span<const std::string_view> family_names();

}  // namespace lerpp::family
