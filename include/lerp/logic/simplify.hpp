// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/logic/formula.hpp>

namespace lerpp {

/// An equivalent formula, never larger: holds of the same entities of every graph. Removes double
/// negation, units, duplicates, complements and what its neighbours imply; flattens and sorts, so
/// that formulas that differ only in the order of parts become equal. Equal parts of the result
/// are shared.
Formula simplify(const Formula& formula);

/// Whether the left formula implies the right one for a reason that can be seen in a short look at
/// their structure. False may also mean "not seen".
bool plainly_implies(const Formula& left, const Formula& right);

}  // namespace lerpp
