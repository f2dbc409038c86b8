// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <lerp/logic/rule_file.hpp>

namespace lerpp {

/// What a rule with a path says of the subject and the object of its head, whichever of them is
/// asked for.
using RuleBody = std::pair<std::vector<OperatorId>, std::vector<Formula>>;
RuleBody body_of(const Rule& rule, RelationId relations);

/// How many rules of a list each relation has. One that answers both ends of its head stands there
/// twice, with weights for each, and counts once.
std::vector<std::size_t> rules_of_relations(std::span<const ListedRule> list, RelationId relations);

}  // namespace lerpp
