// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels_columns.cpp"
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

/// Vectors of a row that are summed in registers at a time.
constexpr std::size_t chunk_vectors = 5;

/// One run of edges with the same operator: the sum of the targets' rows, `vectors` vectors of it.
/// Returns where the run ends, and in `found` how many of its targets have a slot.
template <std::size_t vectors, class Tag, class Real>
HWY_INLINE std::size_t SumRun(Tag tag, const Edge* edges, std::size_t first, std::size_t count,
                              const Real* values, const std::uint32_t* slots, std::size_t width,
                              hn::Vec<Tag> (&sum)[vectors], std::size_t& found) {
  const OperatorId op = edges[first].op;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Zero(tag);
  found = 0;
  std::size_t at = first;
  for (; at < count && edges[at].op == op; ++at) {
    const std::uint32_t slot = slots[edges[at].target];
    if (slot == no_slot) continue;
    ++found;
    const Real* row = values + slot * width;
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = sum[v] + hn::LoadU(tag, row + v * lanes);
  }
  return at;
}

template <std::size_t vectors, class Real>
HWY_INLINE void GatherChunk(std::size_t width, std::size_t offset, const Edge* edges,
                            std::size_t count, const Real* weights, const Real* values,
                            const std::uint32_t* slots, Real* out) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  hn::Vec<decltype(tag)> total[vectors];
  for (std::size_t v = 0; v < vectors; ++v) total[v] = hn::Zero(tag);
  for (std::size_t at = 0; at < count;) {
    const Real* weight = weights + edges[at].op * width + offset;
    if (values == nullptr) {
      const std::size_t first = at;
      const OperatorId op = edges[at].op;
      while (at < count && edges[at].op == op) ++at;
      const auto times = hn::Set(tag, static_cast<Real>(at - first));
      for (std::size_t v = 0; v < vectors; ++v) {
        total[v] = hn::MulAdd(times, hn::LoadU(tag, weight + v * lanes), total[v]);
      }
      continue;
    }
    hn::Vec<decltype(tag)> run[vectors];
    std::size_t found = 0;
    at = SumRun<vectors>(tag, edges, at, count, values + offset, slots, width, run, found);
    if (found == 0) continue;
    for (std::size_t v = 0; v < vectors; ++v) {
      total[v] = hn::MulAdd(run[v], hn::LoadU(tag, weight + v * lanes), total[v]);
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(total[v], tag, out + offset + v * lanes);
}

template <std::size_t vectors, class Real>
HWY_INLINE void BackwardChunk(std::size_t width, std::size_t offset, const Edge* edges,
                              std::size_t count, const Real* weights, const Real* values,
                              const std::uint32_t* slots, const Real* own, Real* sum,
                              Real* weight_gradient) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  hn::Vec<decltype(tag)> total[vectors];
  for (std::size_t v = 0; v < vectors; ++v) total[v] = hn::LoadU(tag, sum + offset + v * lanes);
  for (std::size_t at = 0; at < count;) {
    const std::size_t row = edges[at].op * width + offset;
    hn::Vec<decltype(tag)> run[vectors];
    std::size_t found = 0;
    at = SumRun<vectors>(tag, edges, at, count, values + offset, slots, width, run, found);
    if (found == 0) continue;
    for (std::size_t v = 0; v < vectors; ++v) {
      total[v] = hn::MulAdd(run[v], hn::LoadU(tag, weights + row + v * lanes), total[v]);
      Real* gradient = weight_gradient + row + v * lanes;
      hn::StoreU(
          hn::MulAdd(run[v], hn::LoadU(tag, own + offset + v * lanes), hn::LoadU(tag, gradient)),
          tag, gradient);
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(total[v], tag, sum + offset + v * lanes);
}

template <class Real>
void Gather(std::size_t width, const Edge* edges, std::size_t count, const Real* weights,
            const Real* values, const std::uint32_t* slots, Real* sum) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<Real>());
  std::size_t offset = 0;
  for (; offset + chunk_vectors * lanes <= width; offset += chunk_vectors * lanes) {
    GatherChunk<chunk_vectors>(width, offset, edges, count, weights, values, slots, sum);
  }
  for (; offset < width; offset += lanes) {
    GatherChunk<1>(width, offset, edges, count, weights, values, slots, sum);
  }
}

template <class Real>
void GatherBackward(std::size_t width, const Edge* edges, std::size_t count, const Real* weights,
                    const Real* values, const std::uint32_t* slots, const Real* own, Real* sum,
                    Real* weight_gradient) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<Real>());
  std::size_t offset = 0;
  for (; offset + chunk_vectors * lanes <= width; offset += chunk_vectors * lanes) {
    BackwardChunk<chunk_vectors>(width, offset, edges, count, weights, values, slots, own, sum,
                                 weight_gradient);
  }
  for (; offset < width; offset += lanes) {
    BackwardChunk<1>(width, offset, edges, count, weights, values, slots, own, sum,
                     weight_gradient);
  }
}

template <class Real>
void Clamp(std::size_t count, Real* x) {
  const hn::ScalableTag<Real> tag;
  for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) {
    hn::StoreU(hn::Neg(hn::Expm1(tag, hn::Neg(hn::LoadU(tag, x + i)))), tag, x + i);
  }
}

template <class Real>
void Merge(std::size_t width, const Operations<Real>& operations, const Real* v, const Real* chain,
           const Real* partner_and, const Real* partner_or, Real* next) {
  const hn::ScalableTag<Real> tag;
  const auto one = hn::Set(tag, Real{1});
  const auto p = [&](int which, std::size_t i) { return hn::LoadU(tag, operations.p[which] + i); };
  for (std::size_t i = 0; i < width; i += hn::Lanes(tag)) {
    const auto value = hn::LoadU(tag, v + i);
    const auto inverse = one - value;
    auto sum = hn::MulAdd(p(1, i), hn::LoadU(tag, chain + i), p(0, i));
    sum = hn::MulAdd(p(2, i), inverse, sum);
    sum = hn::MulAdd(p(3, i), value, sum);
    sum = hn::MulAdd(p(4, i), value * hn::LoadU(tag, partner_and + i), sum);
    const auto either = one - inverse * (one - hn::LoadU(tag, partner_or + i));
    sum = hn::MulAdd(p(5, i), either, sum);
    hn::StoreU(sum, tag, next + i);
  }
}

template <class Real>
void MergeBackward(std::size_t width, const Operations<Real>& operations, const Real* v,
                   Real* chain, Real* partner_and, Real* partner_or, const Real* next_gradient,
                   Real* v_gradient, const OperationGradients<Real>& gradients) {
  const hn::ScalableTag<Real> tag;
  const auto one = hn::Set(tag, Real{1});
  for (std::size_t i = 0; i < width; i += hn::Lanes(tag)) {
    const auto d = hn::LoadU(tag, next_gradient + i);
    const auto value = hn::LoadU(tag, v + i);
    const auto inverse = one - value;
    const auto chained = hn::LoadU(tag, chain + i);
    const auto both = hn::LoadU(tag, partner_and + i);
    const auto neither = one - hn::LoadU(tag, partner_or + i);
    const auto p = [&](int which) { return hn::LoadU(tag, operations.p[which] + i); };
    const auto add = [&](int which, auto term) {
      Real* sum = gradients.p[which] + i;
      hn::StoreU(hn::MulAdd(d, term, hn::LoadU(tag, sum)), tag, sum);
    };
    add(0, one);
    add(1, chained);
    add(2, inverse);
    add(3, value);
    add(4, value * both);
    add(5, one - inverse * neither);
    auto slope = p(3) - p(2);
    slope = hn::MulAdd(p(4), both, slope);
    slope = hn::MulAdd(p(5), neither, slope);
    hn::StoreU(hn::MulAdd(d, slope, hn::LoadU(tag, v_gradient + i)), tag, v_gradient + i);
    hn::StoreU(d * p(1) * (one - chained), tag, chain + i);
    hn::StoreU(d * p(4) * value, tag, partner_and + i);
    hn::StoreU(d * p(5) * inverse, tag, partner_or + i);
  }
}

template <class Real>
constexpr Columns<Real> table = {&Gather<Real>, &GatherBackward<Real>, &Clamp<Real>, &Merge<Real>,
                                 &MergeBackward<Real>};

LERP_KERNEL_TABLES(Columns)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp::kernels {

LERP_DISPATCH_KERNELS(Columns, columns)

}  // namespace lerpp::kernels
#endif
