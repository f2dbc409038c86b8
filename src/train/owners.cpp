// SPDX-License-Identifier: Apache-2.0
#include "train/owners.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace lerpp {

std::vector<unsigned> owners(std::span<const std::uint64_t> costs, unsigned parts) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t target) { return costs[target]; });
  // Those with the same load come in their own order.
  using Part = std::pair<std::uint64_t, unsigned>;
  std::priority_queue<Part, std::vector<Part>, std::greater<>> least;
  for (unsigned part = 0; part < parts; ++part) least.emplace(0, part);
  std::vector<unsigned> owner(costs.size());
  for (const std::size_t target : order) {
    const auto [load, part] = least.top();
    least.pop();
    owner[target] = part;
    // Targets without facts are dealt out too.
    least.emplace(load + std::max<std::uint64_t>(1, costs[target]), part);
  }
  return owner;
}

}  // namespace lerpp
