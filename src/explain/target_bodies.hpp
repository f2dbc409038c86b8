// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "explain/masked_model.hpp"

namespace lerpp {

/// A chain of operators that speaks for the answers of a target, and about how loudly where it
/// leads to one.
struct TargetBody {
  std::vector<OperatorId> hops;
  double strength = 0;
};

/// The loudest first: rules of a list, paths of the table, and walks of the soft rules that are
/// retraced on some facts of the target, each hidden while it is asked.
std::vector<TargetBody> target_bodies(MaskedModel& model, OperatorId target);

}  // namespace lerpp
