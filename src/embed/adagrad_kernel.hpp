// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace lerpp {

/// One step of Adagrad: squares += gradient^2, x -= rate * gradient / sqrt(squares). Clears the
/// gradient on the way, while it is in the cache.
void adagrad_kernel(float rate, std::size_t count, float* x, float* squares, float* gradient);

}  // namespace lerpp
