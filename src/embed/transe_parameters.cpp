// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cmath>

#include <lerp/embed/transe.hpp>

#include "base/random.hpp"
#include "model/real.hpp"

namespace lerpp {

template <class Real>
TransEParameters<Real>::TransEParameters(const TransEShape& shape_)
    : shape(shape_),
      functions(shape_.functions()),
      entity(std::size_t{shape_.entities} * shape_.dimension),
      relation(std::size_t{shape_.operators()} * shape_.dimension),
      rotation(std::size_t{shape_.dimension} * shape_.width) {
  assert(shape.dimension > 0 && (shape.width == 0) == (shape.depth == 0));
}

template <class Real>
TransEParameters<Real> initial_transe(const TransEShape& shape, std::uint64_t seed) {
  TransEParameters<Real> parameters(shape);
  parameters.functions = initial_parameters<Real>(shape.functions(), seed);
  // Uniform with this end, a component has variance 1 / dimension.
  const double end = std::sqrt(3.0 / shape.dimension);
  std::uint64_t stream = 0;
  for (std::vector<Real>* block :
       {&parameters.entity, &parameters.relation, &parameters.rotation}) {
    Random random(seed, ++stream);
    for (Real& value : *block) value = static_cast<Real>(end * (2 * random.real() - 1));
  }
  return parameters;
}

template struct TransEParameters<LERP_REAL>;
template TransEParameters<LERP_REAL> initial_transe(const TransEShape&, std::uint64_t);

}  // namespace lerpp
