// SPDX-License-Identifier: Apache-2.0
#include "embed/adagrad_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "embed/adagrad_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lerpp {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Only what never had a gradient is as small as this.
constexpr float epsilon = 1e-10F;

template <class Tag>
HWY_INLINE void Move(Tag tag, float rate, float* x, float* squares, float* gradient) {
  const auto d = hn::LoadU(tag, gradient);
  const auto square = hn::MulAdd(d, d, hn::LoadU(tag, squares));
  const auto step = hn::Set(tag, rate) * d / (hn::Sqrt(square) + hn::Set(tag, epsilon));
  hn::StoreU(hn::LoadU(tag, x) - step, tag, x);
  hn::StoreU(square, tag, squares);
  hn::StoreU(hn::Zero(tag), tag, gradient);
}

void AdagradKernel(float rate, std::size_t count, float* x, float* squares, float* gradient) {
  const hn::ScalableTag<float> tag;
  const hn::CappedTag<float, 1> single;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) Move(tag, rate, x + i, squares + i, gradient + i);
  for (; i < count; ++i) Move(single, rate, x + i, squares + i, gradient + i);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp {

HWY_EXPORT(AdagradKernel);

void adagrad_kernel(float rate, std::size_t count, float* x, float* squares, float* gradient) {
  HWY_DYNAMIC_DISPATCH(AdagradKernel)(rate, count, x, squares, gradient);
}

}  // namespace lerpp
#endif
