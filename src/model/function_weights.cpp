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

}  // namespace

template <class Real>
FunctionWeights<Real>::FunctionWeights(const ModelShape& shape)
    : shape_(shape),
      width_(kernels::padded(shape.functions())),
      columns_(shape.depth),
      softmaxes_(shape.depth == 0 ? 0 : 4 * shape.depth - std::size_t{3}) {}

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
  // Column 1 only chains; each of the others has four tensors.
  Column& column = columns_[(tensor + 3) / 4];
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
