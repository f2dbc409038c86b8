// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <lerp/base/team.hpp>
#include <lerp/model/parameters.hpp>
#include <lerp/train/train.hpp>

#include "model/backend.hpp"

namespace lerpp {

/// The learning rate of each part of a target, as a share of the others'.
using Paces = std::array<double, part_count>;
constexpr Paces even_paces = [] {
  Paces paces{};
  paces.fill(1);
  return paces;
}();

/// Adam with decoupled weight decay. A target's parameters move only when it is learned, so the
/// moments of each target, and those of the functions, count their own steps. An embedding, which
/// learns apart, stays as it is.
class Adam {
 public:
  struct Settings {
    double rate = 0.1;
    double weight_decay = 0;
    Paces paces = even_paces;
  };
  /// Moves the parameters of these targets, and those of the functions once for each lane that has
  /// a loss among the findings, in the order of the lanes. Threads change nothing.
  static void step(const Settings& settings, std::span<const OperatorId> targets,
                   const Parameters<float>& gradient, const StepFindings<float>& findings,
                   Parameters<float>& parameters, AdamState& state, Team& team);
};

}  // namespace lerpp
