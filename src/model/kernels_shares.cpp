// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels_shares.cpp"
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

template <class Real>
Real Largest(std::size_t count, const Real* values) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  Real most = values[0];
  std::size_t i = 0;
  if (count >= lanes) {
    auto found = hn::LoadU(tag, values);
    for (i = lanes; i + lanes <= count; i += lanes)
      found = hn::Max(found, hn::LoadU(tag, values + i));
    most = hn::GetLane(hn::MaxOfLanes(tag, found));
  }
  for (; i < count; ++i) most = std::max(most, values[i]);
  return most;
}

template <class Real>
double Exponentials(std::size_t count, Real* scores, Real* sums, Real* most, Real* top) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  *top = Largest(count, scores);
  const auto largest = hn::Set(tag, *top);
  double sum = 0;
  for (std::size_t first = 0; first < count; first += score_block) {
    const std::size_t size = std::min(score_block, count - first);
    Real* block = scores + first;
    auto total = hn::Zero(tag);
    auto peak = hn::Zero(tag);
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) {
      const auto value = hn::Exp(tag, hn::LoadU(tag, block + i) - largest);
      hn::StoreU(value, tag, block + i);
      total = total + value;
      peak = hn::Max(peak, value);
    }
    Real block_sum = hn::GetLane(hn::SumOfLanes(tag, total));
    Real block_most = hn::GetLane(hn::MaxOfLanes(tag, peak));
    for (; i < size; ++i) {
      const auto value = hn::Exp(tag, hn::Set(tag, block[i]) - largest);
      block[i] = hn::GetLane(value);
      block_sum += block[i];
      block_most = std::max(block_most, block[i]);
    }
    sums[first / score_block] = block_sum;
    most[first / score_block] = block_most;
    sum += static_cast<double>(block_sum);
  }
  return sum;
}

template <class Real>
constexpr Shares<Real> table = {&Exponentials<Real>};

LERP_KERNEL_TABLES(Shares)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp::kernels {

LERP_DISPATCH_KERNELS(Shares, shares)

}  // namespace lerpp::kernels
#endif
