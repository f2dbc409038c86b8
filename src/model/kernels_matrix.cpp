// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels_matrix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h.
#include <hwy/contrib/math/math-inl.h>

#include "model/kernel_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace lerpp::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A tile of C lives in registers: 24 of the 32 that AVX-512 has, 12 of 16 elsewhere.
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t tile_rows = 8;
constexpr std::size_t tile_vectors = 3;
#else
constexpr std::size_t tile_rows = 6;
constexpr std::size_t tile_vectors = 2;
#endif

template <class Real>
struct Product {
  std::size_t depth;
  const Real* a;
  std::size_t a_row, a_column;
  const Real* b;
  std::size_t b_row;
  Real* c;
  std::size_t c_row;
  bool accumulate;
};

template <std::size_t rows, std::size_t vectors, class Real>
HWY_INLINE void Tile(const Product<Real>& x, std::size_t row, std::size_t column) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  hn::Vec<decltype(tag)> sum[rows][vectors];
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[i][v] = x.accumulate ? hn::LoadU(tag, x.c + (row + i) * x.c_row + column + v * lanes)
                               : hn::Zero(tag);
    }
  }
  const Real* a = x.a + row * x.a_row;
  const Real* b = x.b + column;
  for (std::size_t k = 0; k < x.depth; ++k, a += x.a_column, b += x.b_row) {
    hn::Vec<decltype(tag)> right[vectors];
    for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(tag, b + v * lanes);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto left = hn::Set(tag, a[i * x.a_row]);
      for (std::size_t v = 0; v < vectors; ++v) sum[i][v] = hn::MulAdd(left, right[v], sum[i][v]);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(sum[i][v], tag, x.c + (row + i) * x.c_row + column + v * lanes);
    }
  }
}

/// A strip of `vectors` vectors of columns, all rows.
template <std::size_t vectors, class Real>
HWY_INLINE void Strip(const Product<Real>& x, std::size_t rows, std::size_t column) {
  std::size_t row = 0;
  for (; row + tile_rows <= rows; row += tile_rows) Tile<tile_rows, vectors>(x, row, column);
  for (; row + 2 <= rows; row += 2) Tile<2, vectors>(x, row, column);
  for (; row < rows; ++row) Tile<1, vectors>(x, row, column);
}

template <class Real>
void Multiply(std::size_t rows, std::size_t columns, std::size_t depth, const Real* a,
              std::size_t a_row, std::size_t a_column, const Real* b, std::size_t b_row, Real* c,
              std::size_t c_row, bool accumulate) {
  // Blocks of the depth keep what the strips read again in the second-level cache.
  constexpr std::size_t depth_block = 512;
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<Real>());
  for (std::size_t first = 0; first == 0 || first < depth; first += depth_block) {
    const Product<Real> x{std::min(depth_block, depth - first),
                          a + first * a_column,
                          a_row,
                          a_column,
                          b + first * b_row,
                          b_row,
                          c,
                          c_row,
                          accumulate || first > 0};
    std::size_t column = 0;
    for (; column + tile_vectors * lanes <= columns; column += tile_vectors * lanes) {
      Strip<tile_vectors>(x, rows, column);
    }
    if (tile_vectors > 2 && column + 2 * lanes <= columns) {
      Strip<2>(x, rows, column);
      column += 2 * lanes;
    }
    for (; column < columns; column += lanes) Strip<1>(x, rows, column);
  }
}

template <class Real>
void Softmax(std::size_t rows, std::size_t count, const Real* raw, Real* weights) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t row = 0; row < rows; ++row, raw += count, weights += count) {
    const Real top = *std::max_element(raw, raw + count);
    Real sum = 0;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const auto value = hn::Exp(tag, hn::LoadU(tag, raw + i) - hn::Set(tag, top));
      hn::StoreU(value, tag, weights + i);
    }
    if (i < count) {
      // The tail through a small buffer: the same exponential for every place.
      HWY_ALIGN Real buffer[HWY_MAX_BYTES / sizeof(Real)] = {};
      for (std::size_t k = i; k < count; ++k) buffer[k - i] = raw[k] - top;
      hn::StoreU(hn::Exp(tag, hn::LoadU(tag, buffer)), tag, buffer);
      for (std::size_t k = i; k < count; ++k) weights[k] = buffer[k - i];
    }
    for (std::size_t k = 0; k < count; ++k) sum += weights[k];
    const Real scale = 1 / sum;
    for (std::size_t k = 0; k < count; ++k) weights[k] *= scale;
  }
}

template <class Real>
void SoftmaxBackward(std::size_t rows, std::size_t count, const Real* weights, const Real* gradient,
                     Real* raw_gradient) {
  for (std::size_t row = 0; row < rows;
       ++row, weights += count, gradient += count, raw_gradient += count) {
    Real mean = 0;
    for (std::size_t i = 0; i < count; ++i) mean += weights[i] * gradient[i];
    for (std::size_t i = 0; i < count; ++i) raw_gradient[i] += weights[i] * (gradient[i] - mean);
  }
}

template <class Real>
constexpr Matrix<Real> table = {&Multiply<Real>, &Softmax<Real>, &SoftmaxBackward<Real>};

LERP_KERNEL_TABLES(Matrix)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp::kernels {

LERP_DISPATCH_KERNELS(Matrix, matrix)

}  // namespace lerpp::kernels
#endif
