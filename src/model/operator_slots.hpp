// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <vector>

#include <lerp/kg/fact.hpp>

namespace lerpp {

/// Where each operator stands among those that a target has weights for.
class OperatorSlots {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// `all` operators exist; the target has these.
  void take(std::span<const OperatorId> operators, std::size_t all) {
    slots_.assign(all, none);
    for (std::uint32_t slot = 0; slot < operators.size(); ++slot) slots_[operators[slot]] = slot;
  }
  std::uint32_t operator[](OperatorId op) const { return slots_[op]; }

 private:
  std::vector<std::uint32_t> slots_;
};

}  // namespace lerpp
