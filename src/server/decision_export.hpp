// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "server/decision_log.hpp"

namespace lerpp {

// Decisions in force as files. Of facts, those that were accepted.

/// Head, relation and tail between tabs; names that hold a tab or a line end are left out, as no
/// such file can hold them.
std::string decisions_tsv(const std::vector<Decision>& decisions);
/// What is no IRI becomes one, below urn:lerp:.
std::string decisions_ntriples(const std::vector<Decision>& decisions);
/// All of them, with who, when and why. A cell that a spreadsheet would take for a formula starts
/// with an apostrophe.
std::string decisions_csv(const std::vector<Decision>& decisions);

}  // namespace lerpp
