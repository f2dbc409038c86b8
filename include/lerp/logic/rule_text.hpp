// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <lerp/base/error.hpp>
#include <lerp/kg/vocabulary.hpp>
#include <lerp/logic/rule.hpp>

namespace lerpp {

/// What the numbers in rules stand for. Refers to vocabularies that live elsewhere.
struct Names {
  const Vocabulary& relations;
  const Vocabulary& entities;  ///< for constant tests only
};

struct TextOptions {
  bool ascii = false;   ///< & | ! exists => instead of ∧ ∨ ¬ ∃ ⇒; names stay as they are
  bool weight = false;  ///< in front of the rule
};

/// `mother(z1,x) ∧ son(y,z1) ∧ ¬∃z2 sister(z2,x) ⇒ brother(y,x)`: the chain from x to y, then the
/// constraints, then the head. See docs/logic.md.
std::string to_text(const Rule& rule, const Names& names, const TextOptions& options = {});
/// A formula of the variable x.
std::string to_text(const Formula& formula, const Names& names, const TextOptions& options = {});

/// Reads what to_text writes, to the same value, and also other names of variables, other orders
/// and ASCII. Without a weight in front it is 1. Nothing that is nested deeper than this is read:
inline constexpr int max_nesting = 256;
Result<Rule> parse_rule(std::string_view text, const Names& names);
/// A formula of one variable, whatever its name.
Result<Formula> parse_formula(std::string_view text, const Names& names);

}  // namespace lerpp
