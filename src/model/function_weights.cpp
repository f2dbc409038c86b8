// SPDX-License-Identifier: Apache-2.0
#include "model/function_weights.hpp"

#include <algorithm>

#include "model/real.hpp"

namespace lerpp {
namespace {

/// `rows` x `columns` laid out as rows of `stride`, or its transpose.
template <class Real>
void lay_out(const Buffer<Real>& plain, std::size_t rows, std::size_t columns, std::size_t stride,
             bool transpose, Buffer<Real>& out) {
  out.assign((transpose ? columns : rows) * stride, Real{0});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns; ++k) {
      out[transpose ? k * stride + i : i * stride + k] = plain[i * columns + k];
    }
  }
}

/// Four a column; column 1 has one where it only chains, and otherwise there is the start.
std::size_t tensor_count(const ModelShape& shape) {
  const std::size_t whole = 4 * std::size_t{shape.depth};
  if (shape.depth == 0) return 0;
  return shape.types > 0 ? whole + 1 : whole - 3;
}

}  // namespace

template <class Real>
FunctionWeights<Real>::FunctionWeights(const ModelShape& shape)
    : shape_(shape),
      width_(kernels::padded(shape.functions())),
      columns_(shape.depth),
      softmaxes_(tensor_count(shape)) {}

template <class Real>
kernels::Operations<Real> FunctionWeights<Real>::operations(std::uint32_t j) const {
  kernels::Operations<Real> operations = {};
  for (std::size_t which = 0; which < 6; ++which)
    operations.p[which] = column(j).p.data() + which * width_;
  return operations;
}

template <class Real>
void FunctionWeights<Real>::take(const Parameters<Real>& parameters, std::size_t tensor) {
  const std::size_t m = shape_.width;
  const std::span<const Real> raw = parameters.tensor(tensor);
  Buffer<Real>& plain = softmaxes_[tensor];
  plain.resize(raw.size());
  kernels::matrix<Real>().softmax(m, raw.size() / m, raw.data(), plain.data());
  if (shape_.types > 0 && tensor == 0) return take_start(plain);
  // Columns have four tensors each, but for column 1 where it only chains.
  Column& column = columns_[shape_.types > 0 ? (tensor - 1) / 4 : (tensor + 3) / 4];
  switch (tensor == 0 ? 0 : (tensor - 1) % 4) {
    case 0:
      take_alpha(column, plain);
      break;
    case 1:
      lay_out(plain, m, 6, width_, true, column.p);
      break;
    case 2:
      lay_out(plain, m, m, width_, false, column.beta_and);
      lay_out(plain, m, m, width_, true, column.beta_and_t);
      break;
    default:
      lay_out(plain, m, m, width_, false, column.beta_or);
      lay_out(plain, m, m, width_, true, column.beta_or_t);
      break;
  }
}

template <class Real>
void FunctionWeights<Real>::take_start(const Buffer<Real>& plain) {
  const std::size_t rows = shape_.types + std::size_t{1};
  lay_out(plain, shape_.width, rows, width_, true, start_);
  // Whatever its type, an entity is "any" too; and of an unknown type it is no more than that.
  const Real* const any = start(shape_.types);
  for (std::size_t at = 0; at < shape_.types * width_; ++at) start_[at] += any[at % width_];
}

template <class Real>
void FunctionWeights<Real>::take_alpha(Column& column, const Buffer<Real>& plain) const {
  const std::size_t operators = shape_.operators();
  lay_out(plain, shape_.width, operators, width_, true, column.alpha_out);
  // An edge (op, y) of row e brings v[y] to e by the inverse of op.
  column.alpha_in.resize(column.alpha_out.size());
  const auto half = static_cast<std::ptrdiff_t>(shape_.relations * width_);
  std::rotate_copy(column.alpha_out.begin(), column.alpha_out.begin() + half,
                   column.alpha_out.end(), column.alpha_in.begin());
}

template class FunctionWeights<LERP_REAL>;

}  // namespace lerpp
