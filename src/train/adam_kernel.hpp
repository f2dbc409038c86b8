#pragma once

#include <cstddef>

namespace lerpp {

/// One step of Adam's equations.
struct AdamStep {
  float rate = 0;        ///< with the correction of the first moments
  float correction = 1;  ///< of the second moments
};

/// Moves x against the gradient, and clears that on the way: both are in the cache only once.
void adam_kernel(const AdamStep& step, std::size_t count, float* x, float* first, float* second,
                 float* gradient);

}  // namespace lerpp
