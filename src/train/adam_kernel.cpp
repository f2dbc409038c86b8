#include "train/adam_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "train/adam_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lerpp {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr float first_decay = 0.9F;
constexpr float second_decay = 0.999F;
constexpr float epsilon = 1e-8F;

template <class Tag>
HWY_INLINE void Move(Tag tag, const AdamStep& step, float* x, float* first, float* second,
                     float* gradient) {
  const auto d = hn::LoadU(tag, gradient);
  const auto mean = hn::MulAdd(hn::Set(tag, first_decay), hn::LoadU(tag, first),
                               hn::Set(tag, 1 - first_decay) * d);
  const auto square = hn::MulAdd(hn::Set(tag, second_decay), hn::LoadU(tag, second),
                                 hn::Set(tag, 1 - second_decay) * d * d);
  const auto size = hn::Sqrt(square * hn::Set(tag, step.correction)) + hn::Set(tag, epsilon);
  hn::StoreU(hn::LoadU(tag, x) - hn::Set(tag, step.rate) * mean / size, tag, x);
  hn::StoreU(mean, tag, first);
  hn::StoreU(square, tag, second);
  hn::StoreU(hn::Zero(tag), tag, gradient);
}

void AdamKernel(const AdamStep& step, std::size_t count, float* x, float* first, float* second,
                float* gradient) {
  const hn::ScalableTag<float> tag;
  const hn::CappedTag<float, 1> single;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    Move(tag, step, x + i, first + i, second + i, gradient + i);
  for (; i < count; ++i) Move(single, step, x + i, first + i, second + i, gradient + i);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp {

HWY_EXPORT(AdamKernel);

void adam_kernel(const AdamStep& step, std::size_t count, float* x, float* first, float* second,
                 float* gradient) {
  HWY_DYNAMIC_DISPATCH(AdamKernel)(step, count, x, first, second, gradient);
}

}  // namespace lerpp
#endif
