// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels_rules.cpp"
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

/// Calls `body(tag, lanes, steps)` with a vector no wider than the rules, `steps` of them a row: a
/// constant where there are few.
template <class Real, class Body>
HWY_INLINE void WithVectors(std::size_t width, Body&& body) {
  if (width == 4) {
    const hn::CappedTag<Real, 4> tag;
    body(tag, std::integral_constant<std::size_t, 4>());
  } else if (width == 8) {
    const hn::CappedTag<Real, 8> tag;
    body(tag, std::integral_constant<std::size_t, 8>());
  } else if (width == 16) {
    const hn::ScalableTag<Real> tag;
    body(tag, std::integral_constant<std::size_t, 16>());
  } else {
    const hn::ScalableTag<Real> tag;
    body(tag, width);
  }
}

template <class Real>
bool IsZero(const Real* x, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    if (x[i] != 0) return false;
  }
  return true;
}

template <class Real>
void Hop(std::size_t rules, const BallView& ball, std::size_t before, std::size_t after,
         const Real* weights, std::size_t identity, const Real* x, Real* next) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    const std::size_t lanes = hn::Lanes(tag);
    const Real* stay = weights + identity * width;
    for (std::size_t node = 0; node < before; ++node) {
      for (std::size_t i = 0; i < width; i += lanes) {
        hn::StoreU(hn::LoadU(tag, stay + i) * hn::LoadU(tag, x + node * width + i), tag,
                   next + node * width + i);
      }
    }
    std::fill(next + before * width, next + after * width, Real{0});
    for (std::size_t node = 0; node < before; ++node) {
      const Real* own = x + node * width;
      if (IsZero(own, width)) continue;
      const std::size_t end = ball.starts[node + 1];
      for (std::size_t at = ball.starts[node]; at < end;) {
        const OperatorId op = ball.edges[at].op;
        const Real* weight = weights + op * width;
        for (; at < end && ball.edges[at].op == op; ++at) {
          Real* target = next + ball.edges[at].target * width;
          for (std::size_t i = 0; i < width; i += lanes) {
            hn::StoreU(hn::MulAdd(hn::LoadU(tag, weight + i), hn::LoadU(tag, own + i),
                                  hn::LoadU(tag, target + i)),
                       tag, target + i);
          }
        }
      }
    }
  });
}

template <class Real>
void HopWhole(std::size_t rules, const BallView& ball, std::size_t nodes, const Real* weights,
              std::size_t identity, const Real* x, Real* next) {
  const std::size_t relations = identity / 2;
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    const std::size_t lanes = hn::Lanes(tag);
    for (std::size_t node = 0; node < nodes; ++node) {
      const std::size_t end = ball.starts[node + 1];
      for (std::size_t i = 0; i < width; i += lanes) {
        auto total =
            hn::LoadU(tag, weights + identity * width + i) * hn::LoadU(tag, x + node * width + i);
        for (std::size_t at = ball.starts[node]; at < end;) {
          const OperatorId op = ball.edges[at].op;
          auto run = hn::Zero(tag);
          for (; at < end && ball.edges[at].op == op; ++at) {
            run = run + hn::LoadU(tag, x + ball.edges[at].target * width + i);
          }
          // An edge from here by op is one to here by its inverse.
          const std::size_t inverse = op < relations ? op + relations : op - relations;
          total = hn::MulAdd(hn::LoadU(tag, weights + inverse * width + i), run, total);
        }
        hn::StoreU(total, tag, next + node * width + i);
      }
    }
  });
}

template <class Real>
void HopBackward(std::size_t rules, const BallView& ball, std::size_t first, std::size_t last,
                 const Real* weights, std::size_t identity, const Real* x,
                 const Real* next_gradient, Real* x_gradient, Real* weight_gradient) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    const std::size_t lanes = hn::Lanes(tag);
    for (std::size_t node = first; node < last; ++node) {
      const Real* own = x + node * width;
      Real* out = x_gradient + node * width;
      for (std::size_t i = 0; i < width; i += lanes) {
        const auto mine = hn::LoadU(tag, own + i);
        const auto stay = hn::LoadU(tag, next_gradient + node * width + i);
        Real* stay_gradient = weight_gradient + identity * width + i;
        hn::StoreU(hn::MulAdd(mine, stay, hn::LoadU(tag, stay_gradient)), tag, stay_gradient);
        auto total = hn::LoadU(tag, weights + identity * width + i) * stay;
        const std::size_t end = ball.starts[node + 1];
        for (std::size_t at = ball.starts[node]; at < end;) {
          const OperatorId op = ball.edges[at].op;
          auto run = hn::Zero(tag);
          for (; at < end && ball.edges[at].op == op; ++at) {
            run = run + hn::LoadU(tag, next_gradient + ball.edges[at].target * width + i);
          }
          total = hn::MulAdd(hn::LoadU(tag, weights + op * width + i), run, total);
          Real* gradient = weight_gradient + op * width + i;
          hn::StoreU(hn::MulAdd(mine, run, hn::LoadU(tag, gradient)), tag, gradient);
        }
        hn::StoreU(total, tag, out + i);
      }
    }
  });
}

template <class Real>
void HopBackwardMarked(std::size_t rules, const BallView& ball, std::size_t first, std::size_t last,
                       const Real* weights, std::size_t identity, const Real* x,
                       const Real* next_gradient, const std::uint8_t* next_marks, Real* x_gradient,
                       std::uint8_t* marks, Real* weight_gradient) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    const std::size_t lanes = hn::Lanes(tag);
    for (std::size_t node = first; node < last; ++node) {
      const std::size_t end = ball.starts[node + 1];
      const bool stays = next_marks[node] != 0;
      bool any = stays;
      for (std::size_t i = 0; i < width; i += lanes) {
        const auto mine = hn::LoadU(tag, x + node * width + i);
        auto total = hn::Zero(tag);
        if (stays) {
          const auto stay = hn::LoadU(tag, next_gradient + node * width + i);
          Real* gradient = weight_gradient + identity * width + i;
          hn::StoreU(hn::MulAdd(mine, stay, hn::LoadU(tag, gradient)), tag, gradient);
          total = hn::LoadU(tag, weights + identity * width + i) * stay;
        }
        for (std::size_t at = ball.starts[node]; at < end;) {
          const OperatorId op = ball.edges[at].op;
          auto run = hn::Zero(tag);
          bool found = false;
          for (; at < end && ball.edges[at].op == op; ++at) {
            if (next_marks[ball.edges[at].target] == 0) continue;
            run = run + hn::LoadU(tag, next_gradient + ball.edges[at].target * width + i);
            found = true;
          }
          if (!found) continue;
          any = true;
          total = hn::MulAdd(hn::LoadU(tag, weights + op * width + i), run, total);
          Real* gradient = weight_gradient + op * width + i;
          hn::StoreU(hn::MulAdd(mine, run, hn::LoadU(tag, gradient)), tag, gradient);
        }
        if (any) hn::StoreU(total, tag, x_gradient + node * width + i);
      }
      marks[node] = any ? 1 : 0;
    }
  });
}

template <class Real>
void ReadOut(std::size_t rules, std::size_t nodes, const Readout<Real>& readout, const Real* x,
             Real* scores) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    const auto one = hn::Set(tag, Real{1});
    for (std::size_t node = 0; node < nodes; ++node) {
      auto total = hn::Zero(tag);
      for (std::size_t i = 0; i < width; i += hn::Lanes(tag)) {
        const auto seen = hn::MulAdd(hn::LoadU(tag, readout.scale + i),
                                     hn::LoadU(tag, x + node * width + i), one);
        total = hn::MulAdd(hn::LoadU(tag, readout.weight + i), hn::Log(tag, seen), total);
      }
      scores[node] += hn::GetLane(hn::SumOfLanes(tag, total));
    }
  });
}

template <class Real>
void ReadOutBackward(std::size_t rules, const Readout<Real>& readout, const Real* x, Real gradient,
                     bool marked, Real* x_gradient, Real* weight_gradient, Real* scale_gradient) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    const auto one = hn::Set(tag, Real{1});
    const auto d = hn::Set(tag, gradient);
    for (std::size_t i = 0; i < width; i += hn::Lanes(tag)) {
      const auto scale = hn::LoadU(tag, readout.scale + i);
      const auto scaled = scale * hn::LoadU(tag, x + i);
      const auto seen = scaled + one;
      const auto slope = d * hn::LoadU(tag, readout.weight + i) / seen;
      const auto before = marked ? hn::LoadU(tag, x_gradient + i) : hn::Zero(tag);
      hn::StoreU(hn::MulAdd(slope, scale, before), tag, x_gradient + i);
      hn::StoreU(hn::MulAdd(d, hn::Log(tag, seen), hn::LoadU(tag, weight_gradient + i)), tag,
                 weight_gradient + i);
      hn::StoreU(hn::MulAdd(slope, scaled, hn::LoadU(tag, scale_gradient + i)), tag,
                 scale_gradient + i);
    }
  });
}

template <class Real>
void Constrain(std::size_t rules, std::size_t nodes, const Real* u, const Real* constraints,
               std::size_t stride, std::size_t offset, const std::uint32_t* slots, Real* x) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    for (std::size_t node = 0; node < nodes; ++node) {
      const Real* constraint = constraints + slots[node] * stride + offset;
      for (std::size_t i = 0; i < width; i += hn::Lanes(tag)) {
        hn::StoreU(hn::LoadU(tag, u + node * width + i) * hn::LoadU(tag, constraint + i), tag,
                   x + node * width + i);
      }
    }
  });
}

template <class Real>
void ConstrainBackward(std::size_t rules, std::size_t nodes, const std::uint8_t* marks,
                       const Real* u, const Real* constraints, std::size_t stride,
                       std::size_t offset, const std::uint32_t* slots, Real* x_gradient,
                       Real* constraint_gradient, const std::uint32_t* gradient_slots) {
  WithVectors<Real>(rules, [&](auto tag, auto width) {
    for (std::size_t node = 0; node < nodes; ++node) {
      if (marks != nullptr && marks[node] == 0) continue;
      const std::size_t row = slots[node] * stride + offset;
      Real* sums = constraint_gradient + gradient_slots[node] * stride + offset;
      for (std::size_t i = 0; i < width; i += hn::Lanes(tag)) {
        Real* d = x_gradient + node * width + i;
        const auto given = hn::LoadU(tag, d);
        Real* sum = sums + i;
        hn::StoreU(hn::MulAdd(given, hn::LoadU(tag, u + node * width + i), hn::LoadU(tag, sum)),
                   tag, sum);
        hn::StoreU(given * hn::LoadU(tag, constraints + row + i), tag, d);
      }
    }
  });
}

template <class Real>
constexpr Rules<Real> table = {
    &Hop<Real>,     &HopWhole<Real>,        &HopBackward<Real>, &HopBackwardMarked<Real>,
    &ReadOut<Real>, &ReadOutBackward<Real>, &Constrain<Real>,   &ConstrainBackward<Real>};

LERP_KERNEL_TABLES(Rules)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp::kernels {

LERP_DISPATCH_KERNELS(Rules, rules)

}  // namespace lerpp::kernels
#endif
