// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lerp/train/train.hpp>

#include "base/epoch_loop.hpp"

namespace lerpp {

/// A report with what the loop says of its epoch.
EpochReport filled(EpochReport report, const EpochSummary& summary);

}  // namespace lerpp
