#pragma once

#include <string>
#include <string_view>

#include <lerp/base/json_fwd.hpp>
#include <lerp/explain/predict.hpp>
#include <lerp/logic/formula.hpp>

/// What the texts of predictions and explanations have in common.
namespace lerpp {

/// "score", "rank" (realistic) and "probability".
Json to_json(const Standing& standing);
/// "1", or "12.5" where others have the same score.
std::string rank_text(const Rank& rank);
/// A name with its human text: "02084071 dog".
std::string named(std::string_view name, std::string_view label);
/// "mother(anna, ben)", with human texts for names.
std::string fact_text(const Fact& fact, const Dataset& dataset);
/// A formula of an entity: "∃z1 husband(anna,z1)".
std::string formula_text(const Formula& formula, EntityId entity, const Dataset& dataset);

}  // namespace lerpp
