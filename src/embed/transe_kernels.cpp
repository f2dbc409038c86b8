// SPDX-License-Identifier: Apache-2.0
#include "embed/transe_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "embed/transe_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "model/kernel_dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace lerpp::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Distances of a vector of candidates to `queries` queries.
template <std::size_t queries, class Tag, class Real>
HWY_INLINE void Measure(Tag tag, std::size_t dimension, const Real* table, const Real* query,
                        hn::Vec<Tag>* sums) {
  for (std::size_t i = 0; i < queries; ++i) sums[i] = hn::Zero(tag);
  for (std::size_t k = 0; k < dimension; ++k) {
    const auto candidate = hn::LoadU(tag, table + k * panel_width);
    for (std::size_t i = 0; i < queries; ++i)
      sums[i] = sums[i] + hn::Abs(hn::Set(tag, query[i * dimension + k]) - candidate);
  }
}

/// Adds a vector of candidates to one query's sums and to their own.
template <class Tag, class Real, class Active>
HWY_INLINE void Push(Tag tag, std::size_t dimension, const Real* table, const Real* query,
                     Active active, Real* table_gradient, Real* sums) {
  const std::size_t lanes = hn::Lanes(tag);
  const auto one = hn::Set(tag, Real{1});
  for (std::size_t k = 0; k < dimension; ++k) {
    const auto difference = hn::Set(tag, query[k]) - hn::LoadU(tag, table + k * panel_width);
    // Where both are equal, the slope is taken as 0.
    const auto counted = hn::And(active, difference != hn::Zero(tag));
    const auto sign = hn::IfThenElseZero(counted, hn::CopySign(one, difference));
    Real* const own = table_gradient + k * panel_width;
    hn::StoreU(hn::LoadU(tag, own) + sign, tag, own);
    Real* const sum = sums + k * lanes;
    hn::StoreU(hn::LoadU(tag, sum) - sign, tag, sum);
  }
}

/// A vector of candidates and `queries` queries from `query` on; a row of sums has the gradient,
/// then the loss and the count.
template <std::size_t queries, class Tag, class Real>
HWY_INLINE void Tile(Tag tag, const HingeTask<Real>& task, std::size_t candidate, std::size_t query,
                     const Real* table, Real* table_gradient, Real* sums) {
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t dimension = task.dimension;
  const std::size_t row = (dimension + 2) * lanes;
  hn::Vec<Tag> distances[queries];
  Measure<queries>(tag, dimension, table, task.query + query * dimension, distances);
  for (std::size_t i = 0; i < queries; ++i, sums += row) {
    const auto excess = hn::Set(tag, task.limits[query + i]) - distances[i];
    auto active = excess > hn::Zero(tag);
    if (hn::AllFalse(tag, active)) continue;
    const std::size_t skipped = task.skipped[query + i] - candidate;
    if (skipped < lanes) {
      const auto lane = hn::Iota(tag, Real{0});
      active = hn::And(active, lane != hn::Set(tag, static_cast<Real>(skipped)));
    }
    Push(tag, dimension, table, task.query + (query + i) * dimension, active, table_gradient, sums);
    Real* const loss = sums + dimension * lanes;
    Real* const count = loss + lanes;
    hn::StoreU(hn::LoadU(tag, loss) + hn::IfThenElseZero(active, excess), tag, loss);
    hn::StoreU(hn::LoadU(tag, count) + hn::IfThenElseZero(active, hn::Set(tag, Real{1})), tag,
               count);
  }
}

template <class Real>
void Hinge(const HingeTask<Real>& task) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t dimension = task.dimension;
  const std::size_t row = (dimension + 2) * lanes;
  const std::size_t panel_size = dimension * panel_width;
  for (std::size_t first = 0; first < task.queries; first += hinge_queries) {
    const std::size_t last = std::min(task.queries, first + hinge_queries);
    std::fill_n(task.scratch, (last - first) * row, Real{0});
    for (std::size_t panel = 0; panel < task.panels; ++panel) {
      for (std::size_t lane = 0; lane < panel_width; lane += lanes) {
        const std::size_t candidate = task.first + panel * panel_width + lane;
        const Real* const table = task.table + panel * panel_size + lane;
        Real* const gradient = task.table_gradient + panel * panel_size + lane;
        std::size_t query = first;
        for (; query + 4 <= last; query += 4) {
          Tile<4>(tag, task, candidate, query, table, gradient,
                  task.scratch + (query - first) * row);
        }
        for (; query < last; ++query) {
          Tile<1>(tag, task, candidate, query, table, gradient,
                  task.scratch + (query - first) * row);
        }
      }
    }
    for (std::size_t query = first; query < last; ++query) {
      const Real* const sums = task.scratch + (query - first) * row;
      const auto sum = [&](std::size_t k) {
        return hn::GetLane(hn::SumOfLanes(tag, hn::LoadU(tag, sums + k * lanes)));
      };
      for (std::size_t k = 0; k < dimension; ++k)
        task.query_gradient[query * dimension + k] += sum(k);
      task.losses[query] += sum(dimension);
      task.counts[query] += sum(dimension + 1);
    }
  }
}

template <class Real>
void Distances(std::size_t dimension, std::size_t panels, const Real* table, const Real* query,
               Real* out) {
  const hn::ScalableTag<Real> tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t panel = 0; panel < panels; ++panel) {
    for (std::size_t lane = 0; lane < panel_width; lane += lanes) {
      hn::Vec<decltype(tag)> distance[1];
      Measure<1>(tag, dimension, table + panel * dimension * panel_width + lane, query, distance);
      hn::StoreU(distance[0], tag, out + panel * panel_width + lane);
    }
  }
}

template <class Real>
constexpr TransE<Real> table = {&Hinge<Real>, &Distances<Real>};

LERP_KERNEL_TABLES(TransE)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace lerpp::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lerpp::kernels {

LERP_DISPATCH_KERNELS(TransE, transe)

}  // namespace lerpp::kernels
#endif
