// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lerp/logic/rule.hpp>
#include <lerp/logic/rule_text.hpp>

namespace lerpp {

/// A rule as a diagram: variables are nodes, relations arrows, the head bends over them, and the
/// constraints hang below their variables, dashed where something must not be.
std::string to_svg(const Rule& rule, const Names& names);

}  // namespace lerpp
