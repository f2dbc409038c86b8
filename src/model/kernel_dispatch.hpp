#pragma once

// After hwy/highway.h. How a source offers a table of kernels, `table<Real>`, in single and double
// precision.

/// Inside HWY_NAMESPACE: the tables of one instruction set.
#define LERP_KERNEL_TABLES(Type)      \
  const Type<float>* SingleTable() {  \
    return &table<float>;             \
  }                                   \
  const Type<double>* DoubleTable() { \
    return &table<double>;            \
  }

/// Once, in lerpp::kernels: `name<Real>()` is the table of the best instruction set that the
/// machine has.
#define LERP_DISPATCH_KERNELS(Type, name)        \
  HWY_EXPORT(SingleTable);                       \
  HWY_EXPORT(DoubleTable);                       \
  template <>                                    \
  const Type<float>& name<float>() {             \
    return *HWY_DYNAMIC_DISPATCH(SingleTable)(); \
  }                                              \
  template <>                                    \
  const Type<double>& name<double>() {           \
    return *HWY_DYNAMIC_DISPATCH(DoubleTable)(); \
  }
