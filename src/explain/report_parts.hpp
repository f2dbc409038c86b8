#pragma once

#include <string>
#include <string_view>

#include <lerp/base/json_fwd.hpp>
#include <lerp/explain/predict.hpp>

/// What the texts of predictions and explanations have in common.
namespace lerpp {

/// "score", "rank" (realistic) and "probability".
Json to_json(const Standing& standing);
/// "1", or "12.5" where others have the same score.
std::string rank_text(const Rank& rank);
/// A name with its human text: "02084071 dog".
std::string named(std::string_view name, std::string_view label);

}  // namespace lerpp
