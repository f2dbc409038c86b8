// SPDX-License-Identifier: Apache-2.0
#include "read/function_values.hpp"

#include <lerp/base/parallel.hpp>

#include "model/functions.hpp"

namespace lerpp {

Eigen::MatrixXd function_values(const Model& model, const Graph& known,
                                std::span<const EntityId> entities, unsigned threads) {
  Team team(threads);
  FunctionWeights<float> weights(model.shape());
  weights.take(model.parameters);
  Functions<float> functions(known, model.shape());
  functions.begin(weights, entities, nullptr, false);
  functions.forward(team);
  const auto rows = static_cast<Eigen::Index>(entities.size());
  const auto columns = static_cast<Eigen::Index>(model.shape().functions());
  Eigen::MatrixXd values(rows, columns);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const float* of_entity = functions.values() + static_cast<std::size_t>(row) * functions.width();
    for (Eigen::Index column = 0; column < columns; ++column)
      values(row, column) = double{of_entity[column]};
  }
  return values;
}

}  // namespace lerpp
