// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/real.hpp"

// After hwy/highway.h. How a source offers a table of kernels, `table<Real>`.

/// Inside HWY_NAMESPACE: the table of one instruction set.
#define LERP_KERNEL_TABLES(Type)      \
  const Type<LERP_REAL>* TheTable() { \
    return &table<LERP_REAL>;         \
  }

/// Once, in lerpp::kernels: `name<Real>()` is the table of the best instruction set that the
/// machine has.
#define LERP_DISPATCH_KERNELS(Type, name)     \
  HWY_EXPORT(TheTable);                       \
  template <>                                 \
  const Type<LERP_REAL>& name<LERP_REAL>() {  \
    return *HWY_DYNAMIC_DISPATCH(TheTable)(); \
  }
