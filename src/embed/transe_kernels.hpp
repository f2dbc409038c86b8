// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/kernels.hpp"

/// L1 distances of queries to many candidates. Candidates lie in panels of `lane_multiple`,
/// component by component, so that lanes are candidates; the last panel is filled up with
/// `far_away`.
namespace lerpp::kernels {

inline constexpr std::size_t panel_width = lane_multiple;
inline constexpr std::size_t panels_of(std::size_t candidates) {
  return (candidates + panel_width - 1) / panel_width;
}
/// Farther than anything that a margin asks about.
inline constexpr double far_away = 1e30;

/// Queries whose gradients are summed side by side, so that they stay in the first-level cache.
inline constexpr std::size_t hinge_queries = 32;

/// The hinge of some queries over some panels. All that is written is added to.
template <class Real>
struct HingeTask {
  std::size_t dimension = 0;
  std::size_t panels = 0;
  const Real* table = nullptr;  ///< panels x dimension x panel_width
  std::size_t queries = 0;
  const Real* query = nullptr;             ///< queries x dimension
  const Real* limits = nullptr;            ///< of each query: closer candidates count
  const std::uint32_t* skipped = nullptr;  ///< of each query: a candidate that does not, or no_slot
  std::uint32_t first = 0;                 ///< the number of the first panel's first candidate

  Real* table_gradient = nullptr;  ///< sums of signs of query - candidate, as the table lies
  Real* query_gradient = nullptr;  ///< the same with a minus, as the queries lie
  Real* losses = nullptr;          ///< of each query: the sum of limit - distance
  Real* counts = nullptr;          ///< of each query: how many candidates counted
  Real* scratch = nullptr;         ///< hinge_scratch() values
};
inline constexpr std::size_t hinge_scratch(std::size_t dimension) {
  return hinge_queries * (dimension + 2) * panel_width;
}

template <class Real>
struct TransE {
  void (*hinge)(const HingeTask<Real>& task);
  /// One distance for each candidate of each panel.
  void (*distances)(std::size_t dimension, std::size_t panels, const Real* table, const Real* query,
                    Real* out);
};

template <class Real>
const TransE<Real>& transe();

/// Lays rows of vectors out in panels. `row(i)` is the i-th candidate.
template <class Real, class Row>
void fill_panels(std::size_t dimension, std::size_t candidates, Row&& row, Real* panels) {
  for (std::size_t at = 0; at < panels_of(candidates) * panel_width; ++at) {
    Real* const out = panels + at / panel_width * dimension * panel_width + at % panel_width;
    const Real* const from = at < candidates ? row(at) : nullptr;
    for (std::size_t k = 0; k < dimension; ++k)
      out[k * panel_width] = from != nullptr ? from[k] : static_cast<Real>(far_away);
  }
}

}  // namespace lerpp::kernels
