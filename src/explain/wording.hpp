// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <lerp/base/json_fwd.hpp>
#include <lerp/explain/predict.hpp>
#include <lerp/logic/rule.hpp>

/// What the texts of predictions and explanations have in common.
namespace lerpp {

/// "7.31"; small ones, as sums of rules have them, with two digits that count.
std::string score_text(double score);
/// A part of a score: "+1.25" log-odds or, of a sum of rules, "+17.1 %" of it.
std::string share_text(double share, double score, bool evidence);
/// "score 7.31, rank 1, probability 0.9312"
std::string standing_text(const Standing& standing);
/// "1", or "12.5" where others have the same score.
std::string rank_text(const Rank& rank);
/// A name with its human text: "02084071 dog".
std::string named(std::string_view name, std::string_view label);
/// What a reason says: "x is y's aunt if y is a nephew of x", or "counts against it: y has a
/// brother".
std::string reading(const Rule& rule, double share, const Dataset& dataset);
/// How people see an entity inside a formula: of its text no more than what stands before a comma.
std::string short_label(EntityId entity, const Dataset& dataset);
/// "mother(anna, ben)", with human texts for names.
std::string fact_text(const Fact& fact, const Dataset& dataset);
/// A formula of an entity: "∃z1 husband(anna,z1)".
std::string formula_text(const Formula& formula, EntityId entity, const Dataset& dataset);

}  // namespace lerpp
