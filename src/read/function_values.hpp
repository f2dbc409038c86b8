// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <Eigen/Dense>

#include <lerp/kg/graph.hpp>
#include <lerp/model/model.hpp>

namespace lerpp {

/// L_1..L_m of these entities, a row each. The model must have functions.
Eigen::MatrixXd function_values(const Model& model, const Graph& known,
                                std::span<const EntityId> entities, unsigned threads = 0);

}  // namespace lerpp
