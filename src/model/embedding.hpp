// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include <lerp/kg/fact.hpp>

/// ComplEx (Trouillon et al. 2016): score(y) = Re <x, w, conj(y)>, where every target has a w of
/// its own. A vector holds its real parts, then its imaginary ones, so that the score is the plain
/// dot product of the query x w and y.
namespace lerpp {

/// "Which y stand in `target` to `start`?" One that does: `answer`.
struct EmbeddingQuery {
  OperatorId target = 0;
  EntityId start = 0;
  EntityId answer = 0;
};

/// query = x w, component by component.
template <class Real>
void embedding_query(std::span<const Real> x, std::span<const Real> w, Real* query) {
  const std::size_t rank = x.size() / 2;
  for (std::size_t i = 0; i < rank; ++i) {
    query[i] = x[i] * w[i] - x[rank + i] * w[rank + i];
    query[rank + i] = x[i] * w[rank + i] + x[rank + i] * w[i];
  }
}

/// Adds what the gradient of the query means for x and w.
template <class Real>
void embedding_query_backward(std::span<const Real> x, std::span<const Real> w,
                              const Real* query_gradient, std::span<Real> x_gradient,
                              std::span<Real> w_gradient) {
  const std::size_t rank = x.size() / 2;
  for (std::size_t i = 0; i < rank; ++i) {
    const Real real = query_gradient[i];
    const Real imaginary = query_gradient[rank + i];
    x_gradient[i] += real * w[i] + imaginary * w[rank + i];
    x_gradient[rank + i] += imaginary * w[i] - real * w[rank + i];
    w_gradient[i] += real * x[i] + imaginary * x[rank + i];
    w_gradient[rank + i] += imaginary * x[i] - real * x[rank + i];
  }
}

/// weight / 3 times the cubes of the moduli (N3, Lacroix et al. 2018); adds its gradient.
template <class Real>
double embedding_n3(std::span<const Real> z, Real weight, std::span<Real> gradient) {
  const std::size_t rank = z.size() / 2;
  double sum = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    const Real square = z[i] * z[i] + z[rank + i] * z[rank + i];
    const Real modulus = std::sqrt(square);
    sum += static_cast<double>(square * modulus);
    gradient[i] += weight * modulus * z[i];
    gradient[rank + i] += weight * modulus * z[rank + i];
  }
  return static_cast<double>(weight) * sum / 3;
}

}  // namespace lerpp
