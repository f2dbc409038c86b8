// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace lerpp {

/// The weights behind raw parameters.
inline std::vector<double> softmax(std::span<const float> raw) {
  std::vector<double> weights(raw.begin(), raw.end());
  if (weights.empty()) return weights;
  const double top = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - top);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace lerpp
